import { amountText } from "../../currencies/amount-text.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { decideUnexplained } from "../../treasury/recovery/decide-unexplained.ts";
import { listUnexplained } from "../../treasury/recovery/unexplained.store.ts";
import {
  candidateIds,
  isHidden,
  type UnexplainedPayment,
  type UnexplainedSpend,
} from "../../treasury/recovery/unexplained-spend.ts";
import { decideContext } from "../build/decide-context.ts";
import { createFindWatchKey } from "../build/payee-addressing.ts";
import type { CommandContext } from "./command-context.ts";
import { withDeployment } from "./with-deployment.ts";

/** `sluice unexplained list`: prints the unexplained transactions of the deployment's accounts, and what they paid. */
export async function showUnexplained(configFile: string, context: CommandContext): Promise<void> {
  await withDeployment(configFile, context, async (foundation) => {
    const { db, currencies } = foundation;
    const findWatchKey = createFindWatchKey(foundation);
    const spends = await listUnexplained(db);
    for (const spend of spends) {
      const alike = candidateIds(spend, findWatchKey);
      for (const line of linesOf(spend, alike, currencies)) context.print(line);
    }
    if (spends.length === 0)
      context.print("Every transaction of the deployment's accounts is on record");
  });
}

/** A transaction with its payments and the payouts that it may have paid. */
export function linesOf(
  spend: UnexplainedSpend,
  candidates: readonly string[],
  currencies: CurrencyRegistry,
): readonly string[] {
  const { chain, txid, block, seenAt, decidedAt, reason, payoutIds } = spend;
  const place = block === null ? "pending" : `block ${block.height}`;
  const paid = spend.payments
    .filter(({ isOwn }) => !isOwn)
    .map((payment) => paymentLine(payment, currencies));
  const isAnyHidden = spend.payments.some(isHidden);
  const alike = isAnyHidden
    ? "unpaid payouts of no larger amount"
    : "payouts with the same receiver and amount";
  const state =
    decidedAt === null
      ? `  ${alike}: ${candidates.length === 0 ? "none" : candidates.join(", ")}`
      : `  decided ${formatTimestamp(decidedAt)}: ${payoutIds.length > 0 ? `paid payouts ${payoutIds.join(", ")}` : "paid no payout on record"} (${reason ?? ""})`;
  return [`${chain} ${txid}, ${place}, seen ${formatTimestamp(seenAt)}`, ...paid, state];
}

function paymentLine(
  { to, address, tag = null, currency, units }: UnexplainedPayment,
  currencies: CurrencyRegistry,
): string {
  const receiver = tag === null ? address : `${address}, tag ${tag}`;
  if (currency === null) return `  paid ${units} units of an unlisted token to ${receiver}`;
  const amount = amountText(units, currencies.get(currency));
  if (!isHidden({ to })) return `  paid ${amount} to ${receiver}`;
  return units === 0n
    ? "  paid an amount that is not known yet"
    : `  paid ${amount} in all, to receivers whom the chain hides`;
}

/** A decision about an unexplained transaction; without payouts, it paid none on record. */
export type SpendDecision = {
  readonly chain: string;
  readonly txid: string;
  readonly payoutIds: readonly string[];
  readonly reason: string;
};

/** `sluice unexplained settle` and `release`. Rejects if there is no such transaction, or it did not pay these payouts. */
export async function decideSpend(
  configFile: string,
  decision: SpendDecision,
  context: CommandContext,
): Promise<void> {
  if (decision.reason.trim() === "" || decision.reason.length > 256)
    throw new Error("give a --reason of 1 to 256 characters");
  await withDeployment(configFile, context, async (foundation) => {
    const decided = await decideUnexplained(decideContext(foundation), decision);
    if (decided === null)
      throw new Error(`there is no unexplained transaction ${decision.txid} on ${decision.chain}`);
    const { chain, txid, payoutIds } = decided;
    const paid = payoutIds.length === 0 ? "no payout on record" : `payouts ${payoutIds.join(", ")}`;
    context.print(`${chain} ${txid}: paid ${paid}`);
  });
}
