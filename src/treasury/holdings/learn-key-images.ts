import type { ChainWriter, UnclaimedCoin } from "../../chains/paying-port.ts";
import { type Clock, type Instant, secondsBetween } from "../../platform/kernel/clock.ts";
import { listUnclaimedCoins, storeKeyImages } from "./coin.store.ts";
import { type CoinReview, reviewCoins } from "./review-coins.ts";

export type KeyImageContext = CoinReview & {
  readonly clock: Clock;
  readonly writer: Pick<ChainWriter, "keyImagesOf">;
  /** Whether a transaction waits for the signer, which then may have to be shown its coins again. */
  readonly isSigning: () => Promise<boolean>;
};

/** Coins per run; the next run takes the rest. */
const batchSize = 500;
/** Coins whose key images were not found are asked about again after so long. */
const retrySeconds = 10;

/**
 * Creates the step that asks the signer for the key images of coins that have none, and then the chain whether they are still unspent: a
 * block that was read before the key image was known may have spent them. It does nothing on chains whose blocks name outpoints, and
 * rejects with `Unavailable` if the node or the signer does not respond.
 */
export function createKeyImageLearner(
  context: KeyImageContext,
): (signal: AbortSignal) => Promise<void> {
  const { db, chain, clock, writer, isSigning } = context;
  let lastAsked: { readonly text: string; readonly at: Instant } | null = null;

  return async (signal) => {
    if (writer.keyImagesOf === undefined) return;
    const coins = await listUnclaimedCoins(db, chain, batchSize);
    const text = coins.map(({ outpoint }) => outpoint).join();
    const now = clock.now();
    const isNew =
      lastAsked === null ||
      (coins.length > 0 && lastAsked.text !== text) ||
      secondsBetween(lastAsked.at, now) >= retrySeconds;
    if (!isNew || (coins.length === 0 && !(await isSigning()))) return;
    lastAsked = { text, at: now };
    const found = firstOfEach(coins, await writer.keyImagesOf(coins, signal));
    if (found.size === 0) return;
    await db.transaction((tx) => storeKeyImages(tx, chain, found));
    await reviewCoins(context, signal);
  };
}

/** Two outputs with one key image can be spent once: only the first of them is a coin. */
function firstOfEach(
  coins: readonly UnclaimedCoin[],
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
