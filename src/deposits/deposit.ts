import {
  columnList,
  flag,
  group,
  id,
  instant,
  integer,
  json,
  membersOf,
  orNull,
  type RecordOf,
  type Row,
  rate,
  recordReader,
  text,
  units,
  uuid,
} from "../platform/db/columns.ts";
import type { Instant } from "../platform/kernel/clock.ts";
import type { CurrencyId } from "../platform/kernel/money.ts";
import { type DepositStatus, depositStatus, type StatusReason } from "./deposit-status.ts";
import { type RateLock, rateLockFromRow, type StoredRateLock } from "./payments/rate-lock.ts";
import { type StoredTally, tallyFromRow } from "./payments/tally.ts";

/*
 * The definition of a stored deposit: each attribute once, with its column. The type, the select lists, the insert and both
 * conversions follow from it. Amounts named target are units of the wallet's currency; amounts named source are units of the
 * payment currency.
 */

/** Determined by the request at creation; the insert statement writes these columns. */
export const depositTerms = {
  accountId: id("account_id"),
  walletId: id("wallet_id"),
  walletType: integer("wallet_type"),
  walletCurrency: text<CurrencyId>("wallet_currency"),
  /** Payment currency; null until the payer selects one. */
  currency: orNull(text<CurrencyId>("currency")),
  /** Empty on chains with one address type. */
  addressType: text("address_type"),
  label: orNull(text("label")),
  trackingId: orNull(text("tracking_id")),
  confirmationsNeeded: orNull(integer("confirmations_needed")),
  /** Seconds. */
  timeLimit: orNull(integer("time_limit")),
  invoiceUpdatedAt: orNull(instant("invoice_updated_at")),
  expiresAt: orNull(instant("expires_at")),
  callbackUrl: orNull(text("callback_url")),
  paymentPageId: uuid("payment_page_id"),
  paymentPageRedirectUrl: orNull(text("payment_page_redirect_url")),
  paymentPageButtonText: orNull(text("payment_page_button_text")),
  /** Shown to the payer. */
  description: orNull(text("description")),
  helpEmail: orNull(text("help_email")),
  inaccuracy: orNull(units("inaccuracy")),
  /** The account's tolerances at creation; null if the request sets `inaccuracy` or no amount. */
  toleranceBelow: orNull(units("tolerance_below")),
  toleranceAbove: orNull(units("tolerance_above")),
  targetAmountRequested: orNull(units("target_amount_requested")),
  rate: orNull(rate("rate", "rate_exp")),
  /** Null with a rate: the currencies are equal, or the account's open locks had reached their limit. */
  rateExpiresAt: orNull(instant("rate_expires_at")),
  sourceAmountRequested: orNull(units("source_amount_requested")),
  commissionTerms: group({
    ratePpm: integer("commission_rate_ppm"),
    fixedUnits: units("commission_fixed_units"),
    minimumUnits: units("commission_minimum_units"),
  }),
  createdByCredentialId: id("created_by_credential_id"),
  /** The payment link that a visitor used. */
  paymentLinkId: orNull(id("payment_link_id")),
  createdAt: instant("created_at"),
};

/** Taken from the address pool and the sequence by the insert statement. */
const depositIssue = {
  id: id("id"),
  address: orNull(text("address")),
  tag: orNull(text("tag")),
};

/** Sums over a deposit's transfers, stored in the transaction that changes them. */
const depositSums = {
  targetPaid: units("target_paid"),
  targetPaidPending: units("target_paid_pending"),
  sourcePaid: units("source_paid"),
  sourcePaidPending: units("source_paid_pending"),
  /** Credited to the wallet after commission, in the wallet's currency. */
  enrolled: units("enrolled"),
  commission: units("commission"),
  sourceCommission: units("source_commission"),
};

/** Determined later by payments, users and time; each decision writes all of these columns. */
export const depositOutcome = {
  status: integer<DepositStatus>("status"),
  statusReason: orNull(text<StatusReason>("status_reason")),
  statusVersion: integer("status_version"),
  sums: group(depositSums),
  /** Received units per currency id, including payments in other assets. */
  assets: json("assets", assetsFromRow, assetsToRow),
  /** How many of its payments screening holds. */
  blockedPayments: integer("blocked_payments"),
  cancelledAt: orNull(instant("cancelled_at")),
  expiryConcludedAt: orNull(instant("expiry_concluded_at")),
  acceptedAt: orNull(instant("accepted_at")),
  updatedAt: instant("updated_at"),
};

/** Changed by single statements. */
const depositRest = {
  isActive: flag("is_active"),
  /** All locks of the deposit once the payer has renewed the first; empty before. */
  rateLocks: {
    types: { rate_locks: "jsonb" },
    read: (row: Row): readonly RateLock[] =>
      (row["rate_locks"] as readonly StoredRateLock[]).map(rateLockFromRow),
  },
  /** Running totals of a Merchant wallet's deposit; null: unknown, to be computed from all transfers. */
  tally: {
    types: { tally: "jsonb" },
    read: (row: Row) =>
      tallyFromRow(row["tally"] as StoredTally | null, row["updated_at"] as Instant),
  },
};

const depositFields = { ...depositTerms, ...depositIssue, ...depositOutcome, ...depositRest };

/** A stored deposit. */
export type Deposit = RecordOf<typeof depositFields>;
export type DepositTerms = RecordOf<typeof depositTerms>;
export type DepositSums = RecordOf<typeof depositSums>;

/** The columns that `depositFromRow` reads, for a select from `deposit as d`. */
export const depositColumns = columnList(depositFields, "d");
export const depositFromRow = recordReader(depositFields);

export const noSums: DepositSums = {
  targetPaid: 0n,
  targetPaidPending: 0n,
  sourcePaid: 0n,
  sourcePaidPending: 0n,
  enrolled: 0n,
  commission: 0n,
  sourceCommission: 0n,
};

/** A stored deposit at its creation: columns that the insert statement omits have these defaults in the database. */
export function createdDeposit(
  terms: DepositTerms & Pick<Deposit, "isActive">,
  { id, address, tag }: RecordOf<typeof depositIssue>,
): Deposit {
  return {
    ...membersOf(depositTerms, terms),
    id,
    address,
    tag,
    status: depositStatus.created,
    statusReason: null,
    statusVersion: 0,
    sums: noSums,
    assets: {},
    blockedPayments: 0,
    cancelledAt: null,
    expiryConcludedAt: null,
    acceptedAt: null,
    updatedAt: terms.createdAt,
    isActive: terms.isActive,
    rateLocks: [],
    tally: null,
  };
}

function assetsFromRow(stored: Readonly<Record<string, string>>): Readonly<Record<string, bigint>> {
  return Object.fromEntries(Object.entries(stored).map(([id, units]) => [id, BigInt(units)]));
}

function assetsToRow(assets: Readonly<Record<string, bigint>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(assets).map(([id, units]) => [id, units.toString()]));
}
