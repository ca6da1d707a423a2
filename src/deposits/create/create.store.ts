import type { AvailabilityRow } from "../../currencies/availability-row.ts";
import type { Availability } from "../../currencies/decide-availability.ts";
import type { CommissionTerms } from "../../ledger/commission.ts";
import { assertAdmitted } from "../../platform/db/admission.ts";
import type { Database } from "../../platform/db/database.ts";
import { inPlace } from "../../platform/db/in-place.ts";
import { microBatch } from "../../platform/db/micro-batch.ts";
import { present } from "../../platform/kernel/assert.ts";
import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { Rate } from "../../platform/kernel/rate.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { type Deposit, depositStatus, noSums } from "../deposit.ts";
import { type OpenLocksLimit, withinLockLimit } from "./bound-locks.ts";
import { type CreationFacts, type FactsKey, readCreationFacts } from "./creation-facts.store.ts";
import type { CreationKey } from "./creation-key.store.ts";
import type { RequestedFields } from "./deposit-request.ts";
import { batchMax, type IssuedRow, insertKeyed, insertUnkeyed } from "./insert-deposits.store.ts";

export type NewDeposit = RequestedFields & {
  readonly accountId: string;
  readonly credentialId: string;
  readonly paymentPageId: string;
  readonly walletType: number;
  readonly walletCurrency: CurrencyId;
  readonly currency: CurrencyId | null;
  readonly chain: string | null;
  /** Where the address comes from; null: the deposit gets none yet. */
  readonly keyspace: string | null;
  readonly addressType: string;
  readonly inaccuracyUnits: bigint | null;
  readonly targetAmountRequestedUnits: bigint | null;
  readonly rate: Rate | null;
  readonly rateExpiresAt: Instant | null;
  readonly sourceAmountRequestedUnits: bigint | null;
  readonly commissionTerms: CommissionTerms;
  readonly travelRuleSealed: Uint8Array | null;
  readonly createdAt: Instant;
};

export type KeyedDeposit = { readonly deposit: NewDeposit; readonly creationKey: CreationKey };

/** Reads and writes of deposit creation; calls made at the same moment share a statement. */
export type DepositWriter = {
  /** Null when the account has no such wallet. */
  readonly readFacts: (key: FactsKey) => Promise<CreationFacts | null>;
  /** Null when the pool has no address of the kind, or nothing is given out yet: then `assertAdmitted` rejects. */
  readonly create: (deposit: NewDeposit) => Promise<Deposit | null>;
  /** The same with an idempotency key, recorded with the deposit. `keyUsed`: it is in force already, and nothing was created. */
  readonly createOnce: (order: KeyedDeposit) => Promise<Deposit | "keyUsed" | null>;
  /** Rejects with `Unavailable` while it is not known whether the database is the newest one. */
  readonly assertAdmitted: () => Promise<void>;
};

/**
 * `judge` tells whether a deposit may be paid in a currency (its id; null: it has none yet). A deposit whose lock does not fit
 * `openLocks` is created without one; null: every lock is granted.
 */
export function createDepositWriter(
  db: Database,
  judge: (currency: string | null, row: AvailabilityRow) => Availability,
  openLocks: OpenLocksLimit | null = null,
): DepositWriter {
  const limits = { slots: 2, maxSize: batchMax };
  return {
    readFacts: microBatch((keys) => readCreationFacts(db, keys, judge), limits),
    create: microBatch(async (deposits) => {
      return withinLockLimit(db, openLocks, deposits, async (executor, bounded) => {
        const rows = await executor.query(insertUnkeyed, [JSON.stringify(rowsOf(bounded))]);
        return inPlace(bounded, rows, (row, deposit) =>
          row === null ? null : createdDeposit(deposit, row),
        );
      });
    }, limits),
    createOnce: microBatch(async (orders) => {
      const deposits = orders.map(({ deposit }) => deposit);
      return withinLockLimit(db, openLocks, deposits, async (executor, bounded) => {
        const rows = rowsOf(bounded).map((row, index) => ({
          ...row,
          ...keyToRow(present(orders[index], "the order of a row").creationKey),
        }));
        const issued = await executor.query(insertKeyed, [JSON.stringify(rows)]);
        return inPlace(bounded, issued, (row, deposit) => {
          if (row === null) return null;
          return row.is_key_used ? "keyUsed" : createdDeposit(deposit, row);
        });
      });
    }, limits),
    assertAdmitted: () => assertAdmitted(db),
  };
}

/** Each deposit with its place in the batch and, counted from 1, its turn among those that want an address of its kind. */
function rowsOf(deposits: readonly NewDeposit[]) {
  const turns = new Map<string, number>();
  return deposits.map((deposit, index) => {
    const kind = `${deposit.keyspace ?? ""} ${deposit.addressType}`;
    const turn = (turns.get(kind) ?? 0) + 1;
    turns.set(kind, turn);
    return { place: index + 1, turn, ...depositToRow(deposit) };
  });
}

/** The deposit as it stands in the database from now on: nothing of it has to be read back but what was issued. */
function createdDeposit(deposit: NewDeposit, { id, address, tag }: IssuedRow): Deposit {
  return {
    accountId: deposit.accountId,
    id,
    walletId: deposit.walletId,
    walletType: deposit.walletType,
    walletCurrency: deposit.walletCurrency,
    currency: deposit.currency,
    address,
    addressType: deposit.addressType,
    tag,
    isActive: true,
    label: deposit.label,
    trackingId: deposit.trackingId,
    confirmationsNeeded: deposit.confirmationsNeeded,
    timeLimit: deposit.timeLimit,
    invoiceUpdatedAt: deposit.timeLimit === null ? null : deposit.createdAt,
    expiresAt: expiryOf(deposit),
    callbackUrl: deposit.callbackUrl,
    paymentPageId: deposit.paymentPageId,
    paymentPageRedirectUrl: deposit.redirectUrl,
    paymentPageButtonText: deposit.buttonText,
    helpEmail: deposit.helpEmail,
    inaccuracy: deposit.inaccuracyUnits,
    targetAmountRequested: deposit.targetAmountRequestedUnits,
    rate: deposit.rate,
    rateExpiresAt: deposit.rateExpiresAt,
    rateLocks: [],
    sourceAmountRequested: deposit.sourceAmountRequestedUnits,
    commissionTerms: deposit.commissionTerms,
    createdByCredentialId: deposit.credentialId,
    createdAt: deposit.createdAt,
    cancelledAt: null,
    expiryConcludedAt: null,
    acceptedAt: null,
    status: depositStatus.created,
    statusReason: null,
    statusVersion: 0,
    sums: noSums,
    assets: {},
    tally: null,
    updatedAt: deposit.createdAt,
  };
}

function expiryOf({ createdAt, timeLimit }: NewDeposit): Instant | null {
  return timeLimit === null ? null : addSeconds(createdAt, timeLimit);
}

/** Column names and JSON values; a bigint goes as text, which PostgreSQL reads into its numeric. */
function depositToRow(deposit: NewDeposit) {
  const createdAt = formatTimestamp(deposit.createdAt);
  const expiresAt = expiryOf(deposit);
  return {
    keyspace: deposit.keyspace,
    account_id: deposit.accountId,
    wallet_id: deposit.walletId,
    status: depositStatus.created,
    wallet_type: deposit.walletType,
    wallet_currency: deposit.walletCurrency,
    currency: deposit.currency,
    chain: deposit.chain,
    address_type: deposit.addressType,
    label: deposit.label,
    tracking_id: deposit.trackingId,
    confirmations_needed: deposit.confirmationsNeeded,
    time_limit: deposit.timeLimit,
    invoice_updated_at: expiresAt === null ? null : createdAt,
    expires_at: expiresAt === null ? null : formatTimestamp(expiresAt),
    callback_url: deposit.callbackUrl,
    payment_page_id: deposit.paymentPageId,
    payment_page_redirect_url: deposit.redirectUrl,
    payment_page_button_text: deposit.buttonText,
    help_email: deposit.helpEmail,
    inaccuracy: deposit.inaccuracyUnits?.toString() ?? null,
    target_amount_requested: deposit.targetAmountRequestedUnits?.toString() ?? null,
    rate: deposit.rate?.units.toString() ?? null,
    rate_exp: deposit.rate?.exp ?? null,
    rate_expires_at: deposit.rateExpiresAt === null ? null : formatTimestamp(deposit.rateExpiresAt),
    source_amount_requested: deposit.sourceAmountRequestedUnits?.toString() ?? null,
    commission_rate_ppm: deposit.commissionTerms.ratePpm,
    commission_fixed_units: deposit.commissionTerms.fixedUnits.toString(),
    commission_minimum_units: deposit.commissionTerms.minimumUnits.toString(),
    travel_rule_sealed: deposit.travelRuleSealed === null ? null : bytea(deposit.travelRuleSealed),
    created_by_credential_id: deposit.credentialId,
    created_at: createdAt,
  };
}

function keyToRow({ key, fingerprint }: CreationKey) {
  return { creation_key: key, creation_fingerprint: bytea(fingerprint) };
}

/** PostgreSQL's hex form. */
function bytea(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes).toString("hex")}`;
}
