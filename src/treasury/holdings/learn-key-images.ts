import type { ChainWriter } from "../../chains/paying-port.ts";
import type { ChainReader, UnspentOutputs } from "../../chains/port.ts";
import type { Database, Executor } from "../../platform/db/database.ts";
import { type Clock, type Instant, secondsBetween } from "../../platform/kernel/clock.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import {
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
/** Coins whose key images were not found are asked about again after so long. */
const retrySeconds = 10;
/** So often, coins that the node or the signer's wallet does not find are asked about before the others are spent without them. */
const unansweredMax = 3;

/**
 * Creates the step that asks the signer for the key images of coins that have none, and then the chain whether they are still unspent: a
 * block that was read before the key image was known may have spent them. Key images are stored together with what spent them, so a crash
 * loses neither. It does nothing on chains whose blocks name outpoints, and rejects with `Unavailable` if the node or the signer does not
 * respond.
 */
export function createKeyImageLearner(context: KeyImageContext): KeyImageLearner {
  const { db, chain, clock, writer, isSigning, searchMempool } = context;
  const { keyImagesOf } = writer;
  if (keyImagesOf === undefined) return { run: () => Promise.resolve(), isComplete: () => true };
  let lastAsked: { readonly text: string; readonly at: Instant } | null = null;
  let isComplete = false;
  let unanswered = 0;

  const run = async (signal: AbortSignal): Promise<void> => {
    const coins = await listUnclaimedCoins(db, chain, batchSize);
    isComplete ||= coins.length === 0;
    const text = coins.map(({ outpoint }) => outpoint).join();
    const now = clock.now();
    const isNew =
      lastAsked === null ||
      (coins.length > 0 && lastAsked.text !== text) ||
      secondsBetween(lastAsked.at, now) >= retrySeconds;
    if (!isNew || (coins.length === 0 && !(await isSigning()))) return;
    lastAsked = { text, at: now };
    const answer = await keyImagesOf(coins, signal);
    const learned = firstOfEach(coins, answer);
    if (learned.size > 0) {
      if (!(await storeLearned(context, coins, learned, signal))) {
        // The node and the follower are at different blocks: soon they are at the same.
        lastAsked = null;
        return;
      }
      if (!isComplete) await searchMempool(signal);
    }
    if (coins.length === batchSize) return;
    unanswered += 1;
    isComplete ||= answer.size === coins.length || unanswered >= unansweredMax;
  };
  return { run, isComplete: () => isComplete };
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
