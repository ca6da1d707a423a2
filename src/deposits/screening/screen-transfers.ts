import type { Database } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { formatDecimal } from "../../platform/kernel/decimal.ts";
import { readDepositRow } from "../deposit-list.store.ts";
import { readQueuedForScreening } from "../payments/incoming.store.ts";
import { type DepositContext, reconsider } from "../payments/reconsider.ts";
import { riskStatus, type TransferRecord } from "../transfers/transfer.ts";
import type { ScreeningProvider, ScreeningQuestion, ScreeningResult } from "./provider.ts";
import { type Answer, screenQueued } from "./screen-queued.ts";

type Context = DepositContext & {
  readonly db: Database;
  readonly clock: Clock;
  /** Null: payments are not screened, and those that are queued continue unscreened. */
  readonly provider: ScreeningProvider | null;
};

/**
 * Screens queued payments and records the results: green ones continue, red ones are blocked. After all were asked, rejects with
 * `Unavailable` if any had no answer (see `screenQueued`).
 */
export async function screenTransfers(context: Context, signal: AbortSignal): Promise<void> {
  await screenQueued<TransferRecord>(
    context.provider,
    {
      read: (after, limit) => readQueuedForScreening(context.db, after, limit),
      question: (transfer) => questionOf(context, transfer),
      enter: (answers) => storeResults(context, answers),
    },
    signal,
  );
}

/** Null for an unlisted token: it is never credited, whatever its risk. */
async function questionOf(
  { db, currencies }: Context,
  transfer: TransferRecord,
): Promise<ScreeningQuestion | null> {
  if (transfer.currency === null) return null;
  const currency = currencies.get(transfer.currency);
  const deposit = await readDepositRow(db, transfer.accountId, transfer.depositId);
  return {
    direction: "deposit",
    chain: transfer.chain,
    currency: currency.alpha,
    amount: formatDecimal(transfer.units, currency.exp),
    address: deposit?.address ?? transfer.watchKey ?? "",
    from: transfer.from,
    txid: transfer.txid,
  };
}

async function storeResults(
  context: Context,
  answers: readonly Answer<TransferRecord>[],
): Promise<void> {
  const results = new Map(
    answers.map(({ item, result }) => [
      item.id,
      { risk: result?.risk ?? null, riskStatus: statusOf(result) },
    ]),
  );
  const request = {
    depositIds: answers.map(({ item }) => item.depositId),
    transferIds: [...results.keys()],
    tips: new Map(),
    now: context.clock.now(),
  };
  await context.db.transaction((tx) =>
    reconsider(tx, context, request, ({ deposit, transfers }) => ({
      deposit,
      transfers: transfers.map((transfer) =>
        transfer.riskStatus === riskStatus.queued
          ? { ...transfer, ...results.get(transfer.id) }
          : transfer,
      ),
    })),
  );
}

function statusOf(result: ScreeningResult | null): TransferRecord["riskStatus"] {
  if (result === null) return riskStatus.notAvailable;
  return result.verdict === "red" ? riskStatus.red : riskStatus.green;
}
