import type { Draft } from "../../chains/paying-port.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import {
  findBlockAfter,
  isBestBlock,
  lockTipHeight,
  readTip,
  wasSeenInBlock,
} from "./block.store.ts";
import { changeSpends } from "./change-spends.ts";
import { mayReplaceExpired } from "./replace-spend.ts";
import { readOpenSpends } from "./spend.store.ts";
import { isMinable, type Spend } from "./spend.ts";
import type { SpendContext } from "./spend-context.ts";
import { expiriesOf, markExpired } from "./spend-transitions.ts";
import { outagesMax, tryEach } from "./try-each.ts";

/**
 * Ends spends whose transactions have all expired: on the chain that we have read, a block past their validity has enough
 * confirmations, and two nodes (or the only one) have none of the transactions in a block up to that one. If the node does not
 * respond for a spend, the others are tried, up to three such failures, and then it rejects with `Unavailable`.
 * A spend that another transaction may continue ends only if it is one of the `irreplaceable`, for which that was tried: the chain may have
 * been read past its validity since.
 */
export async function expireSpends(
  context: SpendContext,
  signal: AbortSignal,
  irreplaceable: ReadonlySet<string>,
): Promise<void> {
  if (context.writer.isMissingUpTo === null) return;
  await tryEach(
    await readOpenSpends(context.db, context.chain),
    async (spend) => {
      if (!signal.aborted) await expireOne(context, spend, signal, irreplaceable);
    },
    outagesMax,
  );
}

type Block = { readonly height: number; readonly hash: string };
type Signed = { readonly txid: string; readonly draft: Draft };

async function expireOne(
  context: SpendContext,
  spend: Spend,
  signal: AbortSignal,
  irreplaceable: ReadonlySet<string>,
): Promise<void> {
  const { db, chain, clock, listener, logger } = context;
  const tip = await readTip(db, chain);
  const end = tip === null ? null : await findEnd(context, spend, tip.height);
  if (tip === null || end === null) return;
  if (!irreplaceable.has(spend.id) && mayReplaceExpired(context, spend, tip, clock.now())) return;
  const signed = spend.attempts.flatMap((one) =>
    isMinable(one) && one.txid !== null ? [{ txid: one.txid, draft: one.draft }] : [],
  );
  if (!(await areMissing(context, spend, signed, end, signal))) return;
  const txids = signed.map(({ txid }) => txid);
  const now = clock.now();
  const changes = await db.transaction(async (tx) => {
    // Locks in the follower's order: first the cursor, then the spends.
    const tipHeight = await lockTipHeight(tx, chain);
    if (tipHeight === null || !(await isBestBlock(tx, chain, end, tipHeight))) return [];
    if (await wasSeenInBlock(tx, chain, txids)) return [];
    return changeSpends(
      tx,
      listener,
      [spend.id],
      (locked) => (hasOtherAttempts(locked, spend) ? locked : markExpired(locked, end, now)),
      now,
    );
  });
  if (changes.length > 0)
    logger.warn("a spend expired before a block contained it", { chain, spend: spend.id, txids });
}

/** A block past the validity of everything signed for the spend, with the spend's confirmations; null while there is none. */
async function findEnd(
  { db, chain }: SpendContext,
  spend: Spend,
  tipHeight: number,
): Promise<Block | null> {
  const validities = expiriesOf(spend);
  if (validities === null) return null;
  return await findBlockAfter(db, chain, validities, tipHeight - spend.confirmations + 1);
}

/** Whether attempts were added since the nodes were asked. */
function hasOtherAttempts(now: Spend, queried: Spend): boolean {
  return now.attempts.length !== queried.attempts.length;
}

/**
 * Whether two nodes (the only one, where there is one) have none of the transactions in a block. Otherwise one node that lies,
 * or lacks blocks, could cause a payout's funds to be released although the chain has paid it.
 */
async function areMissing(
  { writer, nodes = [], chain, logger }: SpendContext,
  spend: Spend,
  signed: readonly Signed[],
  end: Block,
  signal: AbortSignal,
): Promise<boolean> {
  const warn = (node: string): void => {
    logger.warn("a node does not confirm that a spend expired", { chain, node, spend: spend.id });
  };
  if (nodes.length < 2) {
    const agrees = await areMissingAt(writer.isMissingUpTo, signed, end, signal);
    if (!agrees) warn(nodes[0]?.node ?? "the only one");
    return agrees;
  }
  let agreeing = 0;
  for (const { node, isMissingUpTo } of nodes) {
    if (await isConfirmed(areMissingAt(isMissingUpTo, signed, end, signal))) agreeing += 1;
    else warn(node);
  }
  return agreeing >= 2;
}

async function areMissingAt(
  isMissingUpTo: SpendContext["writer"]["isMissingUpTo"],
  signed: readonly Signed[],
  end: Block,
  signal: AbortSignal,
): Promise<boolean> {
  if (isMissingUpTo === null) return false;
  for (const { draft, txid } of signed)
    if (!(await isMissingUpTo(txid, draft, end, signal))) return false;
  return signed.length > 0;
}

/** A node that does not respond confirms nothing. */
async function isConfirmed(answer: Promise<boolean>): Promise<boolean> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return false;
  }
}
