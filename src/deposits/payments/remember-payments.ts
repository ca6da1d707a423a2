import type { SecondOpinion } from "../../chains/chain-adapter.ts";
import type { Database } from "../../platform/db/database.ts";
import { addSeconds, type Clock, type Instant } from "../../platform/kernel/clock.ts";
import { blockOf, questionOf, transferOf } from "./awaiting-transfers.ts";
import { type AwaitingRow, type BlockWithPayments, references } from "./incoming.store.ts";
import type { DepositContext } from "./reconsider.ts";

type Context = Pick<DepositContext, "needsOpinion"> & {
  readonly db: Database;
  readonly clock: Clock;
  readonly secondOpinion: SecondOpinion;
};

/** Full nodes keep the state of 128 blocks. */
const stateBlocks = 128;
/** Payments that are decided after their block was booked are looked for this many blocks back. */
const lateBlocks = 8;
/** The first pause before the nodes are asked about a block again; each further one is twice as long. */
const firstPauseSeconds = 2;

type Waiting = { readonly height: number; readonly askAt: Instant; readonly pauseSeconds: number };

/**
 * Creates a job for chains whose nodes forget states: it has the other nodes show the payments of new blocks while they still can, long
 * before the payments are deep enough to be settled. What is missed is asked for again when it is due, as on other chains.
 */
export function createRememberPayments(context: Context): (signal: AbortSignal) => Promise<void> {
  const { db, clock, secondOpinion } = context;
  const { chain, rememberTransfers } = secondOpinion;
  if (rememberTransfers === null) return () => Promise.resolve();
  const waiting = new Map<string, Waiting>();
  let seenHeight = 0;

  const findBlocks = async (): Promise<void> => {
    const newest = await references.newestHeight(db, chain);
    if (newest === null || newest === seenHeight) return;
    const oldest = newest - stateBlocks;
    for (const [hash, { height }] of waiting) if (height < oldest) waiting.delete(hash);
    const above = Math.max(oldest, Math.min(seenHeight, newest) - lateBlocks);
    for (const block of await references.blocksWithPayments(db, chain, above)) {
      if (!waiting.has(block.hash)) waiting.set(block.hash, firstTurn(block, clock.now()));
    }
    seenHeight = newest;
  };

  const askAbout = async (rows: readonly AwaitingRow[], signal: AbortSignal): Promise<boolean> => {
    const needing = rows.filter((row) => context.needsOpinion(questionOf(row)));
    const [first] = needing;
    return (
      first === undefined ||
      (await rememberTransfers(blockOf(first), needing.map(transferOf), signal))
    );
  };

  return async (signal) => {
    await findBlocks();
    for (const [hash, { height, askAt, pauseSeconds }] of waiting) {
      if (signal.aborted) return;
      if (clock.now() < askAt) continue;
      if (await askAbout(await references.paymentsIn(db, chain, height, hash), signal)) {
        waiting.delete(hash);
      } else {
        const again = addSeconds(clock.now(), pauseSeconds);
        waiting.set(hash, { height, askAt: again, pauseSeconds: 2 * pauseSeconds });
      }
    }
  };
}

function firstTurn({ height }: BlockWithPayments, now: Instant): Waiting {
  return { height, askAt: now, pauseSeconds: firstPauseSeconds };
}
