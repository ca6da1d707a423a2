import type { Coin, Funds } from "../../chains/paying-port.ts";
import { present } from "../../platform/kernel/assert.ts";
import { money } from "../../platform/kernel/money.ts";
import { createSpend } from "../spends/create-spend.ts";
import { isConsolidationPending } from "./move.store.ts";
import type { ConsolidationSettings, MoveContext } from "./move-context.ts";

/** Coins read per run; the next run takes the rest. */
const coinsRead = 2_000;

/**
 * Merges many small coins into one while fees are low, so that later payments need fewer inputs. UTXO chains only, one
 * transaction at a time. Rejects with `Unavailable` if the node does not respond. Returns whether it created a spend.
 */
export async function consolidateCoins(
  context: MoveContext,
  settings: ConsolidationSettings,
  signal: AbortSignal,
): Promise<boolean> {
  const { db, clock, logger, chain, currencies } = context;
  const { writer } = chain;
  const own = present(context.coins, `the coins of ${chain.chain}`);
  if (await context.isStopped(db, chain.chain)) return false;
  if (await isConsolidationPending(db, chain.chain)) return false;
  const chosen = chooseCoins(await own.spendable(db, coinsRead), settings);
  if (chosen.length === 0) return false;
  if (!(await areFeesLow(context, chosen, settings, signal))) return false;
  const feeCeiling = mergingFeeMax(settings, chosen.length);
  const change = await db.transaction((tx) => own.nextChange(tx, clock.now()));
  const funds: Funds = { kind: "coins", coins: chosen, change };
  const outcome = await writer.draft(
    { payments: [], funds, feeTarget: null, feeCeiling, replaces: null },
    signal,
  );
  if (outcome.kind !== "draft") {
    const { kind } = outcome;
    logger.warn("coins are not consolidated", { chain: chain.chain, coins: chosen.length, kind });
    return false;
  }
  const opened = await db.transaction((tx) =>
    createSpend(
      tx,
      {
        chain: chain.chain,
        kind: "consolidation",
        sender: null,
        purpose: {},
        request: { payments: [], funds },
        leaves: null,
        draft: outcome.draft,
        feeCurrency: writer.coin,
        confirmations: currencies.get(writer.coin).confirmationBlocks,
      },
      clock.now(),
    ),
  );
  return opened.kind === "created";
}

/**
 * The smallest coins if there are more than enough; at least two. Those that hold no more than merging them may cost count as none, so that
 * dust, which anyone can send, is not moved at a loss and keeps no others from being merged. Pure.
 */
export function chooseCoins(
  spendable: readonly Coin[],
  { coinsMax, feePerCoin, inputsMax }: ConsolidationSettings,
): readonly Coin[] {
  const worth = spendable.filter(({ units }) => units > feePerCoin);
  if (worth.length <= coinsMax) return [];
  const smallestFirst = worth.toSorted((a, b) =>
    a.units < b.units ? -1 : a.units > b.units ? 1 : 0,
  );
  // One more than the surplus, since they leave one coin behind.
  const { length } = worth;
  const count = Math.min(inputsMax, length, length - coinsMax + 1);
  return count < 2 ? [] : smallestFirst.slice(0, count);
}

/** The most that merging `count` coins may cost, in units of the coin: each counts once, and the rest of a transaction as much as two. */
export function mergingFeeMax({ feePerCoin }: ConsolidationSettings, count: number): bigint {
  return feePerCoin * BigInt(count + 2);
}

/** Judged by the fee of paying out all that the coins hold. They leave nothing for a fee, so the quote is for one coin more. */
async function areFeesLow(
  { chain }: MoveContext,
  coins: readonly Coin[],
  settings: ConsolidationSettings,
  signal: AbortSignal,
): Promise<boolean> {
  const { writer, addressing } = chain;
  const destination = present(addressing.changeAt, "change addresses")(0);
  const { address, addressType } = destination;
  const balance = coins.reduce((sum, { units }) => sum + units, 0n);
  const change = { address, addressType: addressType ?? "", keyIndex: 0 };
  const { medium } = await writer.quote(
    {
      payment: { destination, amount: money(balance, writer.coin) },
      funds: { kind: "coins", coins, change },
      balance,
    },
    signal,
  );
  return medium <= mergingFeeMax(settings, coins.length);
}
