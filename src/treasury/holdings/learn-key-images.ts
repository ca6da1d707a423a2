import { type ChainWriter, unansweredMax } from "../../chains/paying-port.ts";
import type { ChainReader, UnspentOutputs } from "../../chains/port.ts";
import type { Database, Executor } from "../../platform/db/database.ts";
import {
  addSeconds,
  type Clock,
  type Instant,
  microsPerSecond,
  secondsBetween,
} from "../../platform/kernel/clock.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import {
  countUnanswered,
  type IncludedCoin,
  listUnclaimedCoins,
  lockTip,
  resolveDoubtfulCoins,
  storeKeyImages,
} from "./coin.store.ts";
import { findSpenders, type Spender } from "./find-spenders.ts";

export type KeyImageContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly chain: string;
  readonly writer: Pick<ChainWriter, "keyImagesOf">;
  readonly reader: Pick<
    ChainReader,
    "headerAt" | "headerByHash" | "readBlock" | "readSpends" | "unspentOutputs"
  >;
  /** Whether a transaction waits for the signer, which then may have to be shown its coins again. */
  readonly isSigning: () => Promise<boolean>;
  /** Enters a transaction in a block that spent coins of ours, if it is not on record. */
  readonly found: (tx: Executor, spender: Spender, now: Instant) => Promise<void>;
  /** Looks for transactions of ours in the mempool that are not on record. */
  readonly searchMempool: (signal: AbortSignal) => Promise<void>;
};

export type KeyImageLearner = {
  readonly run: (signal: AbortSignal) => Promise<void>;
  /**
   * Whether the key images of all coins have been asked for since this process started. Before, transactions of ours may be in blocks that a
   * restored database does not recognize, and that paid what it would pay again.
   */
  readonly isComplete: () => boolean;
};

/** Coins per run; the next run takes the rest. */
const batchSize = 500;
/** Coins whose key images were not found are asked about again after so long, and after a failure all are. */
const retrySeconds = 10;
/** From `unansweredMax` times on, coins are asked about ever more rarely: after twice as long each time, up to so many times (85 minutes). */
const doublingsMax = 9;

/** What is known of a coin without a key image: how often it was asked about, and when it is again. */
type Asked = { readonly times: number; readonly againAt: Instant };

/** The coins to ask about now. */
type DueCoins = {
  readonly coins: readonly IncludedCoin[];
  /** Outpoints of all coins without key images; null if there may be more. */
  readonly all: ReadonlySet<string> | null;
};

/**
 * Creates the step that asks the signer for the key images of coins that have none, and then the chain whether they are still unspent: a
 * block that was read before the key image was known may have spent them. Key images are stored together with what spent them, so a crash
 * loses neither. Coins that are never found delay no others. It does nothing on chains whose blocks name outpoints, and rejects with
 * `Unavailable` if the node or the signer does not respond.
 */
export function createKeyImageLearner(context: KeyImageContext): KeyImageLearner {
  const { db, chain, clock, writer, isSigning, searchMempool } = context;
  const { keyImagesOf } = writer;
  if (keyImagesOf === undefined) return { run: () => Promise.resolve(), isComplete: () => true };
  const asked = new Map<string, Asked>();
  let lastAskedAt: Instant | null = null;
  let hasFailed = false;
  let isComplete = false;

  const noteComplete = ({ all }: DueCoins): void => {
    const wasAsked = (outpoint: string): boolean =>
      (asked.get(outpoint)?.times ?? 0) >= unansweredMax;
    isComplete ||= all !== null && [...all].every(wasAsked);
  };

  const run = async (signal: AbortSignal): Promise<void> => {
    const now = clock.now();
    const isRested = lastAskedAt === null || secondsBetween(lastAskedAt, now) >= retrySeconds;
    if (hasFailed && !isRested) return;
    const due = await findDue(context, asked, now);
    noteComplete(due);
    const { coins } = due;
    if (coins.length === 0 && !(isRested && (await isSigning()))) return;
    lastAskedAt = now;
    hasFailed = true;
    await ask(due, now, signal);
    hasFailed = false;
  };

  const ask = async (due: DueCoins, now: Instant, signal: AbortSignal): Promise<void> => {
    const { coins } = due;
    const answer = await keyImagesOf(coins, signal);
    const learned = firstOfEach(coins, answer);
    if (learned.size > 0) {
      // The node and the follower are at different blocks: soon they are at the same, and the coins are asked about again.
      if (!(await storeLearned(context, coins, learned, signal))) return;
      if (!isComplete) await searchMempool(signal);
    }
    const outpoints = coins.map(({ outpoint }) => outpoint);
    for (const outpoint of outpoints)
      asked.set(outpoint, nextAsked(asked.get(outpoint), answer.has(outpoint), now));
    await countUnanswered(db, chain, outpoints);
    noteComplete(due);
  };
  return { run, isComplete: () => isComplete };
}

/** Up to a batch of coins that were never asked about, or whose time has come again, the oldest first. Forgets coins that are none any more. */
async function findDue(
  { db, chain }: Pick<KeyImageContext, "db" | "chain">,
  asked: Map<string, Asked>,
  now: Instant,
): Promise<DueCoins> {
  const [due, all]: [IncludedCoin[], Set<string>] = [[], new Set()];
  for (let last: IncludedCoin | null = null, isLast = false; !isLast; ) {
    const page: readonly IncludedCoin[] = await listUnclaimedCoins(db, chain, batchSize, last);
    for (const coin of page) {
      all.add(coin.outpoint);
      if ((asked.get(coin.outpoint)?.againAt ?? now) <= now) due.push(coin);
    }
    last = page.at(-1) ?? null;
    isLast = page.length < batchSize;
    if (due.length >= batchSize) return { coins: due.slice(0, batchSize), all: null };
  }
  for (const outpoint of asked.keys()) if (!all.has(outpoint)) asked.delete(outpoint);
  return { coins: due, all };
}

/**
 * What is known of a coin once it was asked about; an answer that could not be stored, since another output has that key image, is final. Rare
 * questions are asked at times that are the same for all coins: each of them may have the wallet read all later transactions again.
 */
function nextAsked(before: Asked | undefined, isAnswered: boolean, now: Instant): Asked {
  const counted = (before?.times ?? 0) + 1;
  const times = isAnswered ? Math.max(counted, unansweredMax) : counted;
  if (times < unansweredMax) return { times, againAt: addSeconds(now, retrySeconds) };
  const doublings = Math.min(times - unansweredMax + 1, doublingsMax);
  const step = retrySeconds * 2 ** doublings * microsPerSecond;
  return { times, againAt: ((Math.floor(now / step) + 2) * step) as Instant };
}

/**
 * Stores the key images with what the chain says about them, as of the block that was read last: which are spent, and by which transactions.
 * False if the node is at another block.
 */
async function storeLearned(
  { db, chain, clock, logger, reader, found }: KeyImageContext,
  coins: readonly IncludedCoin[],
  learned: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<boolean> {
  const keyImages = [...learned.values()];
  const unspent = (await reader.unspentOutputs?.(keyImages, signal)) ?? null;
  const spenders =
    unspent === null
      ? null
      : await spendersOf(reader, coins.filter(isSpentIn(unspent, learned)), learned, {
          lastHash: unspent.atHash,
          signal,
        });
  if (unspent === null || spenders === null) return false;
  const isStored = await db.transaction(async (tx) => {
    if ((await lockTip(tx, chain, unspent.atHash)) === null) return false;
    await storeKeyImages(tx, chain, learned);
    const heights = new Map(
      spenders.flatMap(({ block, transaction }) =>
        transaction.claims.map((claim) => [claim, block.height] as const),
      ),
    );
    const said = keyImages.map((outpoint) => ({
      outpoint,
      spentHeight: heights.get(outpoint) ?? null,
    }));
    await resolveDoubtfulCoins(tx, chain, said);
    for (const spender of spenders) await found(tx, spender, clock.now());
    return true;
  });
  if (!isStored) logger.info("key images wait for a node that is at our block", { chain });
  return isStored;
}

function isSpentIn({ outpoints }: UnspentOutputs, learned: ReadonlyMap<string, string>) {
  return ({ outpoint }: IncludedCoin): boolean => {
    const keyImage = learned.get(outpoint);
    return keyImage !== undefined && !outpoints.has(keyImage);
  };
}

async function spendersOf(
  reader: KeyImageContext["reader"],
  spent: readonly IncludedCoin[],
  learned: ReadonlyMap<string, string>,
  { lastHash, signal }: { readonly lastHash: string; readonly signal: AbortSignal },
): Promise<readonly Spender[] | null> {
  if (spent.length === 0) return [];
  const keyImages = new Set(spent.flatMap(({ outpoint }) => learned.get(outpoint) ?? []));
  const fromHeight = Math.min(...spent.map(({ blockHeight }) => blockHeight));
  return await findSpenders(reader, keyImages, fromHeight, lastHash, signal);
}

/** Two outputs with one key image can be spent once: only the first of them is a coin. */
function firstOfEach(
  coins: readonly IncludedCoin[],
  keyImages: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const first = new Map<string, string>();
  const seen = new Set<string>();
  for (const { outpoint } of coins) {
    const keyImage = keyImages.get(outpoint);
    if (keyImage === undefined || seen.has(keyImage)) continue;
    seen.add(keyImage);
    first.set(outpoint, keyImage);
  }
  return first;
}
