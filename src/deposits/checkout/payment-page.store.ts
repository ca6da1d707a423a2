import type { CommissionTerms } from "../../ledger/commission.ts";
import { isAdmitted } from "../../platform/db/admission.ts";
import type { Row } from "../../platform/db/columns.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { Rate } from "../../platform/kernel/rate.ts";
import { formatTimestamp, formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";
import type { Deposit } from "../deposit.ts";
import { depositColumns, depositFromRow } from "../deposit.ts";
import { rateLockToRow } from "../payments/rate-lock.ts";

/* What payers write: only what stands on their own page, found by its id. */

const read = statement<Row>(
  "payment-page.read",
  `select ${depositColumns} from deposit d where d.payment_page_id = $1`,
);

const lock = statement<Row>(
  "payment-page.lock",
  `select ${depositColumns} from deposit d where d.payment_page_id = $1 for update`,
);

/** Null: there is no such page. */
export async function readPageDeposit(db: Executor, pageId: string): Promise<Deposit | null> {
  const [row] = await db.query(read, [pageId]);
  return row === undefined ? null : depositFromRow(row);
}

/** The same, locked until the transaction ends. */
export async function lockPageDeposit(tx: Executor, pageId: string): Promise<Deposit | null> {
  const [row] = await tx.query(lock, [pageId]);
  return row === undefined ? null : depositFromRow(row);
}

const takeAddress = statement<{ readonly address: string; readonly tag: string | null }>(
  "payment-page.take-address",
  `update address set account_id = $1, wallet_id = $2, deposit_id = $3, issued_at = $4, needs_activation = not $8
   where (keyspace, watch_key) = (
     select keyspace, watch_key from address
     where keyspace = $5 and address_type = $6 and deposit_id is null and ${isAdmitted}
     order by key_index limit 1 for update skip locked)
   returning coalesce(spellings ->> $7, address) as address, tag`,
);

/** Issues an address of the pool to a deposit; null when the pool has none, or nothing may be issued yet. */
export async function takeAddressFor(
  tx: Executor,
  deposit: Pick<Deposit, "accountId" | "walletId" | "id">,
  {
    addressType,
    keyspace,
    poolType,
    isActive,
  }: {
    readonly keyspace: string;
    readonly poolType: string;
    readonly addressType: string;
    readonly isActive: boolean;
  },
  now: Instant,
): Promise<{ readonly address: string; readonly tag: string | null } | null> {
  const { accountId, walletId, id } = deposit;
  const issued = formatTimestamp(now);
  const values = [accountId, walletId, id, issued, keyspace, poolType, addressType, isActive];
  const [row] = await tx.query(takeAddress, values);
  return row ?? null;
}

const choose = statement<never>(
  "payment-page.choose",
  `update deposit set currency = $3, chain = $4, address = $5, address_type = $6, tag = $7, rate = $8, rate_exp = $9,
     rate_expires_at = $10, source_amount_requested = $11, commission_rate_ppm = $12, commission_fixed_units = $13,
     commission_minimum_units = $14, updated_at = $15, is_active = $16
   where account_id = $1 and id = $2`,
);

/** What a payer's choice fixes. */
export type ChosenTerms = {
  readonly currency: string;
  readonly chain: string;
  /** Null while it is not active. */
  readonly address: string | null;
  readonly addressType: string;
  readonly tag: string | null;
  readonly isActive: boolean;
  readonly rate: Rate | null;
  readonly rateExpiresAt: Instant | null;
  readonly sourceAmountRequested: bigint | null;
  readonly commissionTerms: CommissionTerms;
};

/** Writes what a payer's choice fixes; the caller holds the deposit's lock. */
export async function saveChoice(
  tx: Executor,
  { accountId, id }: Deposit,
  chosen: ChosenTerms,
  now: Instant,
): Promise<void> {
  await tx.query(choose, [
    accountId,
    id,
    chosen.currency,
    chosen.chain,
    chosen.address,
    chosen.addressType,
    chosen.tag,
    chosen.rate?.units ?? null,
    chosen.rate?.exp ?? null,
    formatTimestampOrNull(chosen.rateExpiresAt),
    chosen.sourceAmountRequested,
    chosen.commissionTerms.ratePpm,
    chosen.commissionTerms.fixedUnits,
    chosen.commissionTerms.minimumUnits,
    formatTimestamp(now),
    chosen.isActive,
  ]);
}

const saveQuoteStatement = statement<never>(
  "payment-page.save-quote",
  `update deposit set rate = $3, rate_exp = $4, rate_expires_at = $5, source_amount_requested = $6, rate_locks = $7,
     updated_at = $8
   where account_id = $1 and id = $2`,
);

/** What a renewal fixes. */
export type Quote = Pick<Deposit, "rateExpiresAt" | "rateLocks"> & {
  readonly rate: Rate;
  readonly sourceAmountRequested: bigint;
};

/** Stores what a renewal fixes; the caller holds the deposit's lock. */
export async function saveQuote(
  tx: Executor,
  { accountId, id }: Deposit,
  quote: Quote,
  now: Instant,
): Promise<void> {
  await tx.query(saveQuoteStatement, [
    accountId,
    id,
    quote.rate.units,
    quote.rate.exp,
    formatTimestampOrNull(quote.rateExpiresAt),
    quote.sourceAmountRequested,
    JSON.stringify(quote.rateLocks.map(rateLockToRow)),
    formatTimestamp(now),
  ]);
}

const savePayerStatement = statement<never>(
  "payment-page.save-payer",
  `insert into deposit_payer (account_id, deposit_id, refund_address, refund_tag, left_at) values ($1, $2, $3, $4, $5)`,
);

/** What a payer left for the merchant to decide by. */
export type DepositPayer = {
  readonly refundAddress: string;
  readonly tag: string | null;
  readonly leftAt: Instant;
};

/** Writes what the payer left; nothing was left before. */
export async function savePayer(
  tx: Executor,
  { accountId, id }: Pick<Deposit, "accountId" | "id">,
  { refundAddress, tag, leftAt }: DepositPayer,
): Promise<void> {
  await tx.query(savePayerStatement, [accountId, id, refundAddress, tag, formatTimestamp(leftAt)]);
}

const readPayerStatement = statement<{
  readonly refund_address: string;
  readonly refund_tag: string | null;
  readonly left_at: Instant;
}>(
  "payment-page.read-payer",
  "select refund_address, refund_tag, left_at from deposit_payer where account_id = $1 and deposit_id = $2",
);

/** Null if the payer left no address. */
export async function readPayer(
  db: Executor,
  { accountId, id }: Pick<Deposit, "accountId" | "id">,
): Promise<DepositPayer | null> {
  const [row] = await db.query(readPayerStatement, [accountId, id]);
  if (row === undefined) return null;
  return { refundAddress: row.refund_address, tag: row.refund_tag, leftAt: row.left_at };
}
