import { createHash } from "node:crypto";
import { recordAudit } from "../../accounts/audit/record-audit.ts";
import { mayCreate, mayPayFrom, mayView, type Principal } from "../../accounts/principal.ts";
import { amountText } from "../../currencies/amount-text.ts";
import { recordNotices } from "../../notifications/record-notices.ts";
import type { Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatDecimal } from "../../platform/kernel/decimal.ts";
import { isObjectId } from "../../platform/kernel/object-id.ts";
import type { Random } from "../../platform/kernel/random.ts";
import { Rejected, type Rejection, reject, rejection } from "../../platform/kernel/rejection.ts";
import { walletHidden, walletNotGranted } from "../approve/decide-approval-rights.ts";
import { claimKeys, readUsedKey } from "../create/create.store.ts";
import { createPayout } from "../create/create-payout.ts";
import { at, emptyPayoutRequest } from "../payout-documents.ts";
import { commitOnlyIf } from "../send/commit-only-if.ts";
import { readTravelRuleField } from "../travel-rule/read-travel-rule.ts";
import { batchNotice } from "./batch-notice.ts";
import { insertBatch, readBatchOf, readBatchPayouts, readBatchRow } from "./payout-batch.store.ts";
import { isCanceled, type PayoutBatch } from "./payout-batch.ts";
import {
  type BatchContext,
  type BatchQuote,
  type BatchSource,
  faultsOf,
  type QuotedRow,
  quoteBatch,
} from "./quote-batch.ts";
import { type BatchRow, type RowFault, readBatchRows } from "./read-batch-rows.ts";

export type BatchRequest = BatchSource & {
  /** The account's own name for the batch. */
  readonly reference: string;
  /** The CSV file. */
  readonly file: string;
};

/** The idempotency key of a request: a lower-case UUID, and the SHA-256 of its document. */
export type BatchKey = { readonly key: string; readonly fingerprint: Uint8Array };

export type BatchOutcome = {
  readonly batch: PayoutBatch;
  /** Rows whose payout was refused. They can be created by uploading the same file again. */
  readonly faults: readonly RowFault[];
};

const atOnce = 8;
const faultsMax = 50;
const csvPointer = { pointer: "/data/attributes/csv" };

/** Rejects `permissionDenied` for the role Read only. */
export function assertMayCreateBatches(principal: Principal): void {
  if (!mayCreate(principal)) reject("permissionDenied", "Your role can't create payouts.");
}

/**
 * Rejects idempotencyKeyUsed if the key was used before. A repeated request learns from `meta` which batch it created, if its caller may
 * view the wallet; `reference` and `walletId` are null where the document has none.
 */
export async function assertKeyUnused(
  db: Executor,
  principal: Principal,
  { key, fingerprint }: BatchKey,
  { reference, walletId }: { readonly reference: string | null; readonly walletId: string | null },
): Promise<void> {
  const { accountId } = principal;
  const used = await readUsedKey(db, { accountId, key });
  if (used === null) return;
  const isSame = Buffer.from(used.fingerprint).equals(Buffer.from(fingerprint));
  const detail = isSame
    ? "This request has already been accepted. To continue an interrupted batch, send it again with a new key."
    : "This key was used for another request. Use a new key for each request.";
  const rejected = rejection("idempotencyKeyUsed", detail, { header: "idempotency-key" });
  const maySee = isSame && walletId !== null && mayView(principal, walletId);
  const batch = maySee && reference !== null ? await readBatchOf(db, accountId, reference) : null;
  throw new Rejected(
    batch === null ? rejected : { ...rejected, meta: { payout_batch_id: batch.id } },
  );
}

/** Quotes those payouts of a file that do not exist yet, and finds the batch under its reference. Writes nothing. Rejects as `quoteBatch`, and walletTypeInvalid. */
export async function previewBatch(
  context: BatchContext,
  principal: Principal,
  request: BatchRequest,
): Promise<{ readonly quote: BatchQuote; readonly existing: PayoutBatch | null }> {
  const { rows, faults } = readBatchRows(request.file);
  const existing = await findExisting(context, principal, request, rows);
  const missing = await missingRows(context, principal, existing, rows);
  const quote = await quoteBatch(context, principal, request, missing);
  const ofType = quote.refusals.find(({ name }) => name === "walletTypeInvalid");
  if (ofType !== undefined) throw new Rejected(ofType);
  return { existing, quote: { ...quote, faults: inOrder([...faults, ...quote.faults]) } };
}

/**
 * Creates the payouts of a file. First every row is checked; then the batch is stored with an idempotency key for each row, and then
 * each row's payout is created with its key. Called again with the same reference and rows after any interruption, it creates only the
 * payouts that are missing: a key pays once. `feesMax` bounds the sum of the network fees, in units of the chain's coin. `use` is the key of
 * this request, null if it has none; a request that is not rejected uses it.
 *
 * Rejects with permissionDenied, idempotencyKeyUsed, payoutNotPermitted, invalidValue (a fault of the file, a reference that belongs to other
 * rows or to a canceled batch), walletInactive, walletNotActivated, walletTypeInvalid, insufficientFunds, feeOutOfRange and payoutsBlocked, and
 * then has created nothing.
 */
export async function createBatch(
  context: BatchContext & { readonly random: Random },
  principal: Principal,
  request: BatchRequest,
  feesMax: bigint,
  use: BatchKey | null,
): Promise<BatchOutcome> {
  assertMayCreateBatches(principal);
  await assertMayPayFrom(context, principal, request.walletId);
  const { rows, faults } = readBatchRows(request.file);
  refuse(faults);
  const existing = await findExisting(context, principal, request, rows);
  const missing = await missingRows(context, principal, existing, rows);
  const quote = await quoteBatch(context, principal, request, missing);
  const isComplete = existing !== null && missing.length === 0;
  if (!isComplete) refuse(existing === null ? shownFaults(quote) : [], quote.refusals);
  if (existing === null) {
    if (!quote.isCovered)
      reject("insufficientFunds", "The wallet's balance doesn't cover the batch.", csvPointer);
  }
  if (quote.feeUnits > feesMax)
    reject(
      "feeOutOfRange",
      "The network fees have risen above fees_max. Preview the batch again.",
      {
        pointer: "/data/attributes/fees_max",
      },
    );
  const order = { request, rows, use };
  const batch =
    existing === null
      ? await storeBatch(context, principal, order, quote)
      : await continueBatch(context, principal, order, existing);
  const keys = new Map(
    (await readBatchPayouts(context.db, principal.accountId, batch.id)).map(({ number, key }) => [
      number,
      key,
    ]),
  );
  const refused: RowFault[] = [];
  for (let from = 0; from < quote.rows.length; from += atOnce) {
    const part = quote.rows.slice(from, from + atOnce);
    // Nothing is answered while a payout is still being written.
    const outcomes = await Promise.allSettled(
      part.map((quoted) =>
        createRow(context, principal, batch, quoted, keys.get(quoted.row.number) ?? ""),
      ),
    );
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") throw outcome.reason;
      refused.push(...outcome.value);
    }
  }
  const after = await readBatchRow(context.db, principal.accountId, batch.id);
  const unpaid = quote.faults.filter((fault) => !refused.some(({ row }) => row === fault.row));
  return { batch: after ?? batch, faults: inOrder([...refused, ...unpaid]) };
}

/** Rejects callers who can't pay from the wallet, whatever the file says. */
async function assertMayPayFrom(
  { readFacts }: BatchContext,
  principal: Principal,
  walletId: string,
): Promise<void> {
  if (mayPayFrom(principal, walletId)) return;
  if (mayView(principal, walletId))
    reject(walletNotGranted.name, walletNotGranted.detail, at.wallet);
  const { wallet } = await readFacts({
    accountId: principal.accountId,
    key: null,
    trackingId: null,
    walletId: isObjectId(walletId) ? walletId : null,
    currency: null,
  });
  if (wallet === null) reject("invalidValue", "There is no such wallet.", at.wallet);
  reject(walletHidden.name, walletHidden.detail, at.wallet);
}

/** The batch under the reference; null if there is none. Rejects if it is of another wallet or currency, or has other rows. */
async function findExisting(
  { db }: Pick<BatchContext, "db">,
  { accountId }: Principal,
  request: BatchRequest,
  rows: readonly BatchRow[],
): Promise<PayoutBatch | null> {
  if (request.reference === "") return null;
  const found = await readBatchOf(db, accountId, request.reference);
  if (found === null || found.digest === digestOf(request, rows).toString("hex")) return found;
  reject(
    "invalidValue",
    "A batch with this reference has other payouts. Use another reference, or upload the same file to continue it.",
    { pointer: "/data/attributes/reference" },
  );
}

/** The rows whose payout does not exist yet. Rejects if there are any and the batch was canceled. */
async function missingRows(
  { db }: BatchContext,
  { accountId }: Principal,
  existing: PayoutBatch | null,
  rows: readonly BatchRow[],
): Promise<readonly BatchRow[]> {
  if (existing === null) return rows;
  const payouts = await readBatchPayouts(db, accountId, existing.id);
  const created = new Set(
    payouts.flatMap(({ number, payoutId }) => (payoutId === null ? [] : [number])),
  );
  const missing = rows.filter(({ number }) => !created.has(number));
  // A program that retries an interrupted upload must not pay what a person stopped.
  if (isCanceled(existing) && missing.length > 0)
    reject(
      "invalidValue",
      "This batch was canceled before all of its payouts were created. Use another reference to pay the other rows.",
      { pointer: "/data/attributes/reference" },
    );
  return missing;
}

type BatchOrder = {
  readonly request: BatchRequest;
  readonly rows: readonly BatchRow[];
  readonly use: BatchKey | null;
};

/** Uses the request's key. Another request may have used it since it was looked up. */
async function useKey(
  tx: Executor,
  principal: Principal,
  { request, use }: BatchOrder,
  now: Instant,
): Promise<void> {
  if (use === null) return;
  const [ids] = await claimKeys(tx, [{ accountId: principal.accountId, ...use }], now);
  if (ids == null) await assertKeyUnused(tx, principal, use, request);
}

async function continueBatch(
  { db, clock }: BatchContext,
  principal: Principal,
  order: BatchOrder,
  existing: PayoutBatch,
): Promise<PayoutBatch> {
  await db.transaction((tx) => useKey(tx, principal, order, clock.now()));
  return existing;
}

/** Stores the batch with its audit entry and notice. Continues the one that another request has stored under the reference since it was looked up. */
async function storeBatch(
  context: BatchContext & { readonly random: Random },
  principal: Principal,
  order: BatchOrder,
  { totalUnits, needsApproval, isAboveLimit }: BatchQuote,
): Promise<PayoutBatch> {
  const { db, clock, random, currencies, freezeRates } = context;
  const { request, rows } = order;
  const { accountId, memberId } = principal;
  const { reference, walletId, currencyId } = request;
  const currency = currencies.get(currencyId);
  const now = clock.now();
  const batch = {
    accountId,
    reference,
    walletId,
    currency: currency.id,
    digest: digestOf(request, rows),
    rowCount: rows.length,
    totalUnits,
    needsApproval,
    isAboveLimit,
    createdByMemberId: memberId,
    rows: rows.map(({ number }) => ({ number, key: random.uuid() })),
  };
  const findRate = await freezeRates();
  const store = async (tx: Executor): Promise<string | null> => {
    await useKey(tx, principal, order, now);
    const inserted = await insertBatch(tx, batch, now);
    if (inserted === null) return null;
    await recordAudit(tx, {
      by: principal,
      action: "payout_batch.created",
      object: { type: "payout-batch", id: inserted },
      summary: {
        reference,
        payouts: String(rows.length),
        total: amountText(totalUnits, currency),
      },
      at: now,
    });
    if (needsApproval) {
      const stored = { ...batch, id: inserted };
      await recordNotices(
        tx,
        [await batchNotice(tx, { currencies, findRate }, principal, stored)],
        now,
      );
    }
    return inserted;
  };
  // Otherwise the key stays unused, since this request may still be rejected.
  const id = await commitOnlyIf(db, store, (inserted) => inserted !== null);
  if (id !== null) return present(await readBatchRow(db, accountId, id), "the batch just stored");
  const existing = await findExisting({ db }, principal, request, rows);
  return continueBatch(context, principal, order, present(existing, "the batch of the reference"));
}

/** Creates the payout of a row, unless its key is used already; returns why it was refused. */
async function createRow(
  context: BatchContext,
  principal: Principal,
  batch: PayoutBatch,
  { row, calculation, feeUnits }: QuotedRow,
  key: string,
): Promise<readonly RowFault[]> {
  if (calculation === null) return [];
  const fee = formatDecimal(feeUnits, calculation.feeCurrency.exp);
  try {
    await createPayout(context, principal, {
      request: {
        ...emptyPayoutRequest,
        wallet: batch.walletId,
        currency: batch.currency,
        amount: row.amount,
        fee_amount: calculation.isInternal ? null : fee,
        address: row.address,
        tag: row.tag,
        tag_type: row.tagType,
        label: row.label,
        tracking_id: row.trackingId,
        travelRule: readTravelRuleField(row.travelRule).info,
      },
      faults: [],
      idempotencyKey: key,
      fingerprint: createHash("sha256").update(JSON.stringify(row)).digest(),
      incoming: null,
      waitsInBatch: batch.needsApproval,
      isBatchAboveLimit: batch.isAboveLimit,
    });
    return [];
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    const isThere = error.rejections.some(({ name }) => name === "idempotencyKeyUsed");
    return isThere ? [] : faultsOf(row.number, error.rejections);
  }
}

function digestOf({ walletId, currencyId }: BatchSource, rows: readonly BatchRow[]): Buffer {
  return createHash("sha256")
    .update(JSON.stringify([walletId, currencyId, rows]))
    .digest();
}

/** The faults of the rows themselves, unless only they name what refuses every payout: it began while they were quoted. */
function shownFaults({ faults, ownFaults, refusals }: BatchQuote): readonly RowFault[] {
  return inOrder(refusals.length === 0 ? faults : ownFaults);
}

function refuse(faults: readonly RowFault[], refusals: readonly Rejection[] = []): void {
  const [first, ...others] = [...faults.slice(0, faultsMax).map(rejectionOf), ...refusals];
  if (first !== undefined) throw new Rejected(first, ...others);
}

function rejectionOf({ row, column, detail }: RowFault): Rejection {
  const where = column === null ? `Row ${row}` : `Row ${row}, ${column}`;
  return rejection("invalidValue", `${where}: ${detail}`, csvPointer);
}

function inOrder(faults: readonly RowFault[]): readonly RowFault[] {
  return faults.toSorted((left, right) => left.row - right.row);
}
