import type { PayeeAddressing } from "../../chains/port.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { recordPaidSpend } from "../../treasury/spends/record-paid-spend.ts";
import type { SpendListener } from "../../treasury/spends/spend-listener.ts";
import { spendsRuledOut } from "../../treasury/spends/spends-ruled-out.ts";
import type { WithdrawFromSpend } from "../cancel-payout.ts";
import type { PayoutContext } from "../change-payouts.ts";
import { lockPayoutRows } from "../payout.store.ts";
import type { Payout } from "../payout.ts";
import { paymentOf } from "./paid-payouts.ts";
import { readPayoutRows } from "./send.store.ts";

/** A payment of one of our transactions to one receiver. */
export type OutgoingPayment = {
  /** The receiver's watch key; empty for all receivers together, where the chain hides them. */
  readonly to: string;
  readonly address: string;
  readonly currency: CurrencyId | null;
  readonly units: bigint;
};

/** One of our transactions and its payments to others. */
export type OutgoingTransaction = {
  readonly chain: string;
  readonly txid: string;
  readonly sender: string | null;
  readonly claims: readonly string[];
  readonly block: { readonly height: number; readonly hash: string } | null;
  readonly feeUnits: bigint | null;
  readonly payments: readonly OutgoingPayment[];
};

type Addressing = Pick<PayeeAddressing, "parse" | "watchKey">;

export type SettleContext = PayoutContext & {
  readonly listener: SpendListener;
  readonly withdrawFromSpend: WithdrawFromSpend;
  /** Null if the deployment does not pay on the chain. */
  readonly addressingOf: (chain: string) => Addressing | null;
};

const source = { pointer: "/data/attributes/payouts" };

/**
 * Records that the transaction paid these payouts, none of which were signed, unless by transactions that this one, at their confirmation
 * count, has ruled out by spending their coins; they then proceed like any payout in a block. Rejects with invalidValue if it did not pay one of
 * them, or one was sent or closed otherwise.
 */
export async function settlePayouts(
  tx: Executor,
  context: SettleContext,
  transaction: OutgoingTransaction,
  payoutIds: readonly string[],
  now: Instant,
): Promise<readonly Payout[]> {
  const { block, feeUnits, chain } = transaction;
  if (block === null)
    return reject(
      "invalidValue",
      "The transaction is not in a block yet. Try again once it is.",
      source,
    );
  if (feeUnits === null) return reject("invalidValue", "The transaction's fee is unknown.", source);
  const addressing = context.addressingOf(chain);
  if (addressing === null)
    return reject("invalidValue", `This deployment doesn't pay out on ${chain}.`, source);
  const payouts = await lockFree(tx, context, transaction, payoutIds, now);
  const coin = context.currencies.onChain(chain).find(({ kind }) => kind === "coin");
  if (coin === undefined) return reject("invalidValue", `There is no chain ${chain}.`, source);
  const left = match(transaction, payouts, addressing, coin.id);
  const counts = payouts.map(({ currency }) => context.currencies.get(currency).confirmationBlocks);
  const isEntered = await recordPaidSpend(
    tx,
    context.listener,
    {
      chain,
      txid: transaction.txid,
      sender: transaction.sender,
      claims: transaction.claims,
      block,
      feeUnits,
      payoutIds,
      feeCurrency: coin.id,
      // The signer signs nothing for a payout that was never approved.
      payments: payouts.every(({ approval }) => approval !== null)
        ? payouts.map((payout) => paymentOf(payout, addressing))
        : null,
      leaves: left === 0n ? null : { units: left, currency: coin.id },
      confirmations: Math.max(coin.confirmationBlocks, ...counts),
    },
    now,
  );
  if (!isEntered)
    return reject("invalidValue", "A reorg removed the transaction's block. Try again.", source);
  return payouts;
}

/** Locks the payouts, withdrawing them from unsigned spends. */
async function lockFree(
  tx: Executor,
  { withdrawFromSpend }: SettleContext,
  transaction: OutgoingTransaction,
  ids: readonly string[],
  now: Instant,
): Promise<readonly Payout[]> {
  // A spend's row is locked before its payouts.
  const spendIds = (await readPayoutRows(tx, ids)).flatMap(spendSending);
  for (const spendId of new Set(spendIds)) await withdrawFromSpend(tx, spendId, now);
  const payouts = await lockPayoutRows(tx, ids);
  if (payouts.length < new Set(ids).size)
    reject("invalidValue", "Each must be the id of a payout.", source);
  const ruledOut = await spendsRuledOut(tx, transaction, payouts.flatMap(spendSending));
  const bound = payouts.filter((payout) => {
    const isFree =
      settled.includes(payout.stage) || spendSending(payout).some((id) => ruledOut.has(id));
    return payout.isInternal || !isFree;
  });
  if (bound.length > 0) {
    const named = bound.map(({ id, stage }) => `${id} (${stage})`).join(", ");
    reject(
      "invalidValue",
      `These payouts already have a transaction or are closed: ${named}.`,
      source,
    );
  }
  return payouts;
}

function spendSending({ stage, spendId }: Payout): readonly string[] {
  return stage === "sending" && spendId !== null ? [spendId] : [];
}

const settled: readonly Payout["stage"][] = ["waiting", "held", "blocked"];

/**
 * What the transaction paid besides these payouts, in the coin's units. A receiver is an address with its tag: each payment names it as the
 * chain's blocks do. Rejects if it did not pay one of them, or
 * also paid a token, whose units cannot be booked as the coin's. Where the chain hides receivers, a person knows them, and the sum decides.
 */
function match(
  transaction: OutgoingTransaction,
  payouts: readonly Payout[],
  { parse, watchKey }: Addressing,
  coin: CurrencyId,
): bigint {
  const left = [...transaction.payments];
  for (const { id, chain, address, tag, currency, paidUnits } of payouts) {
    const receiver = address === null ? null : parse(address, tag);
    const key = receiver === null ? null : watchKey(receiver);
    const at = left.findIndex(
      ({ to, ...paid }) => to === key && paid.currency === currency && paid.units === paidUnits,
    );
    const hidden = at === -1 ? left.findIndex(({ to }) => to === "") : -1;
    const sum = left[hidden];
    if (chain === transaction.chain && sum?.currency === currency) {
      left[hidden] = { ...sum, units: restOf(sum.units, paidUnits, id) };
      continue;
    }
    if (chain !== transaction.chain || at === -1)
      reject("invalidValue", `The transaction didn't pay payout ${id}.`, source);
    left.splice(at, 1);
  }
  if (left.some(({ currency }) => currency !== coin))
    reject(
      "invalidValue",
      "The transaction also paid tokens that belong to none of these payouts.",
      source,
    );
  return left.reduce((sum, { units }) => sum + units, 0n);
}

/** What remains of what a transaction paid to hidden receivers. Rejects if that is unknown, or less than the payout. */
function restOf(paid: bigint, units: bigint, payoutId: string): bigint {
  if (paid === 0n)
    reject(
      "invalidValue",
      `It is not known how much the transaction paid besides what was named before payout ${payoutId}, or it paid no more.`,
      source,
    );
  if (paid < units)
    reject("invalidValue", `The transaction paid less than payout ${payoutId}.`, source);
  return paid - units;
}
