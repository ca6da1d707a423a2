import type { Instant } from "../platform/kernel/clock.ts";
import type { CurrencyId } from "../platform/kernel/money.ts";
import type { Deposit, DepositStatus, StatusReason } from "./deposit.ts";
import { rateLockFromRow, type StoredRateLock } from "./payments/rate-lock.ts";
import { type StoredTally, tallyFromRow } from "./payments/tally-row.ts";

/** A row of `deposit` as PostgreSQL gives it. */
export type DepositRow = {
  readonly account_id: string;
  readonly id: string;
  readonly wallet_id: string;
  readonly wallet_type: number;
  readonly wallet_currency: string;
  readonly currency: string | null;
  readonly address: string | null;
  readonly address_type: string;
  readonly tag: string | null;
  readonly is_active: boolean;
  readonly label: string | null;
  readonly tracking_id: string | null;
  readonly confirmations_needed: number | null;
  readonly time_limit: number | null;
  readonly invoice_updated_at: Instant | null;
  readonly expires_at: Instant | null;
  readonly callback_url: string | null;
  readonly payment_page_id: string;
  readonly payment_page_redirect_url: string | null;
  readonly payment_page_button_text: string | null;
  readonly help_email: string | null;
  readonly inaccuracy: bigint | null;
  readonly target_amount_requested: bigint | null;
  readonly rate: bigint | null;
  readonly rate_exp: number | null;
  readonly rate_expires_at: Instant | null;
  readonly rate_locks: readonly StoredRateLock[];
  readonly source_amount_requested: bigint | null;
  readonly commission_rate_ppm: number;
  readonly commission_fixed_units: bigint;
  readonly commission_minimum_units: bigint;
  readonly target_paid: bigint;
  readonly target_paid_pending: bigint;
  readonly source_paid: bigint;
  readonly source_paid_pending: bigint;
  readonly enrolled: bigint;
  readonly commission: bigint;
  readonly source_commission: bigint;
  readonly assets: Readonly<Record<string, string>>;
  readonly tally: StoredTally | null;
  readonly status: number;
  readonly status_reason: string | null;
  readonly status_version: number;
  readonly cancelled_at: Instant | null;
  readonly expiry_concluded_at: Instant | null;
  readonly accepted_at: Instant | null;
  readonly created_by_credential_id: string;
  readonly created_at: Instant;
  readonly updated_at: Instant;
};

/** Columns of `DepositRow`, for a select from `deposit as d`. */
export const depositColumns = `
  d.account_id, d.id, d.wallet_id, d.wallet_type, d.wallet_currency, d.currency, d.address, d.address_type, d.tag,
  d.is_active, d.label, d.tracking_id, d.confirmations_needed, d.time_limit, d.invoice_updated_at, d.expires_at,
  d.callback_url, d.payment_page_id, d.payment_page_redirect_url, d.payment_page_button_text, d.help_email,
  d.inaccuracy, d.target_amount_requested, d.rate, d.rate_exp, d.rate_expires_at, d.rate_locks, d.source_amount_requested,
  d.commission_rate_ppm, d.commission_fixed_units, d.commission_minimum_units, d.target_paid, d.target_paid_pending,
  d.source_paid, d.source_paid_pending, d.enrolled, d.commission, d.source_commission, d.assets, d.tally, d.status,
  d.status_reason, d.status_version, d.cancelled_at, d.expiry_concluded_at, d.accepted_at,
  d.created_by_credential_id, d.created_at, d.updated_at`;

/** The deposit of a row with `depositColumns`. */
export function depositFromRow(row: DepositRow): Deposit {
  return {
    accountId: row.account_id,
    id: row.id,
    walletId: row.wallet_id,
    walletType: row.wallet_type,
    walletCurrency: row.wallet_currency as CurrencyId,
    currency: row.currency as CurrencyId | null,
    address: row.address,
    addressType: row.address_type,
    tag: row.tag,
    isActive: row.is_active,
    label: row.label,
    trackingId: row.tracking_id,
    confirmationsNeeded: row.confirmations_needed,
    timeLimit: row.time_limit,
    invoiceUpdatedAt: row.invoice_updated_at,
    expiresAt: row.expires_at,
    callbackUrl: row.callback_url,
    paymentPageId: row.payment_page_id,
    paymentPageRedirectUrl: row.payment_page_redirect_url,
    paymentPageButtonText: row.payment_page_button_text,
    helpEmail: row.help_email,
    inaccuracy: row.inaccuracy,
    targetAmountRequested: row.target_amount_requested,
    rate:
      row.rate === null || row.rate_exp === null ? null : { units: row.rate, exp: row.rate_exp },
    rateExpiresAt: row.rate_expires_at,
    rateLocks: row.rate_locks.map(rateLockFromRow),
    sourceAmountRequested: row.source_amount_requested,
    commissionTerms: {
      ratePpm: row.commission_rate_ppm,
      fixedUnits: row.commission_fixed_units,
      minimumUnits: row.commission_minimum_units,
    },
    createdByCredentialId: row.created_by_credential_id,
    createdAt: row.created_at,
    cancelledAt: row.cancelled_at,
    expiryConcludedAt: row.expiry_concluded_at,
    acceptedAt: row.accepted_at,
    status: row.status as DepositStatus,
    statusReason: row.status_reason as StatusReason | null,
    statusVersion: row.status_version,
    sums: {
      targetPaid: row.target_paid,
      targetPaidPending: row.target_paid_pending,
      sourcePaid: row.source_paid,
      sourcePaidPending: row.source_paid_pending,
      enrolled: row.enrolled,
      commission: row.commission,
      sourceCommission: row.source_commission,
    },
    assets: Object.fromEntries(
      Object.entries(row.assets).map(([id, units]) => [id, BigInt(units)]),
    ),
    tally: tallyFromRow(row.tally, row.updated_at),
    updatedAt: row.updated_at,
  };
}
