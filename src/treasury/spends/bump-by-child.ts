import type { Coin, Funds } from "../../chains/paying-port.ts";
import type { Executor } from "../../platform/db/database.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import { type Instant, secondsBetween } from "../../platform/kernel/clock.ts";
import { findChildSpends } from "./claim.store.ts";
import { createSpend } from "./create-spend.ts";
import { findFeeCeiling } from "./fee-ceiling.ts";
import { quoteSpend } from "./quote-spend.ts";
import { readOpenSpends } from "./spend.store.ts";
import { type Attempt, isMinable, type Spend } from "./spend.ts";
import type { OwnCoins, SpendContext, SpendSettings } from "./spend-context.ts";
import { outagesMax, tryEach } from "./try-each.ts";

/**
 * Speeds up stuck transactions whose replacement the node refuses: a child transaction spends their change to another address
 * of ours and pays for both (CPFP). UTXO chains only. Rejects with `Unavailable`, after trying all, if the node did not respond
 * for one of them.
 */
export async function bumpByChild(context: SpendContext, signal: AbortSignal): Promise<void> {
  const { db, chain, clock, coins, settings } = context;
  if (coins === null) return;
  const stuck = (await readOpenSpends(db, chain)).flatMap((spend) => {
    const found = findUnreplaceable(spend, settings, clock.now());
    return found === null ? [] : [found];
  });
  await tryEach(
    stuck,
    async (found) => {
      if (!signal.aborted) await bump(context, coins, found, signal);
    },
    outagesMax,
  );
}

/** A transaction that the node has, and the higher-paying replacement that it refuses. */
type Unreplaceable = { readonly parent: Attempt; readonly refused: Attempt };

/** Null if there is no such pair, or the node may still accept the replacement. Pure. */
export function findUnreplaceable(
  spend: Spend,
  { refusedAfterSeconds }: Pick<SpendSettings, "refusedAfterSeconds">,
  now: Instant,
): Unreplaceable | null {
  const refused = spend.attempts.at(-1);
  const parent = spend.attempts.findLast(({ state }) => state === "broadcast");
  if (spend.state !== "open" || refused === undefined || parent === undefined) return null;
  // What expires is drafted again instead.
  const isRefused =
    parent.draft.validity === null &&
    isMinable(refused) &&
    refused.firstBroadcastAt === null &&
    refused.refusal !== null;
  const waited = secondsBetween(refused.createdAt, now);
  return isRefused && waited >= refusedAfterSeconds ? { parent, refused } : null;
}

async function bump(
  context: SpendContext,
  coins: OwnCoins,
  { parent, refused }: Unreplaceable,
  signal: AbortSignal,
): Promise<void> {
  const { db, chain, clock, writer, logger } = context;
  const txid = present(parent.txid, "the id of a broadcast transaction");
  const change = await coins.changeOf(db, txid);
  if (change.length === 0 || (await findChildSpends(db, [{ chain, txid }])).length > 0) return;
  const lacking = refused.draft.feeUnits - parent.draft.feeUnits;
  const all = await fundsOf(context, coins, change);
  const { medium } = await quoteSpend(writer, { payments: [], funds: all }, signal);
  const funds = { ...all, coins: coinsOfChild(change, lacking + medium) };
  const feeCeiling = await findFeeCeiling(context, [], funds, signal);
  // The parent's missing fee plus the child's own, which is quoted per coin.
  const targetUnits = lacking + medium * BigInt(funds.coins.length);
  const feeTarget = targetUnits < feeCeiling ? targetUnits : feeCeiling;
  const outcome = await writer.draft(
    { payments: [], funds, feeTarget, feeCeiling, replaces: null },
    signal,
  );
  if (outcome.kind !== "draft") return;
  const { draft } = outcome;
  assert(draft.feeUnits <= feeCeiling, `a child of ${txid} exceeds the fee ceiling`);
  const opened = await db.transaction((tx) =>
    createSpend(
      tx,
      {
        chain,
        kind: "consolidation",
        sender: null,
        purpose: {},
        leaves: null,
        draft,
        request: { payments: [], funds },
        feeCurrency: writer.coin,
        confirmations: context.coinConfirmations,
      },
      clock.now(),
    ),
  );
  if (opened.kind === "created") {
    logger.info("a child transaction pays for a transaction that cannot be replaced", {
      chain,
      txid,
    });
  }
}

/**
 * The largest change output if it can easily bear the fee, otherwise all of them: each further input makes the child larger and
 * takes a coin from other payments. Pure.
 */
export function coinsOfChild(change: readonly Coin[], feeUnits: bigint): readonly Coin[] {
  const [largest] = change.toSorted((a, b) => (a.units < b.units ? 1 : -1));
  return largest !== undefined && largest.units >= 2n * feeUnits ? [largest] : change;
}

async function fundsOf(
  { db, clock }: Pick<SpendContext, "db" | "clock">,
  coins: OwnCoins,
  change: readonly Coin[],
): Promise<Extract<Funds, { readonly kind: "coins" }>> {
  const next = await db.transaction((tx: Executor) => coins.nextChange(tx, clock.now()));
  return { kind: "coins", coins: change, change: next };
}
