import { Unavailable } from "../../../platform/kernel/unavailable.ts";
import type { ClaimAnswer, ClaimedCoins, CoinClaims } from "../../../signer/intent.ts";
import type { Coin, UnclaimedCoin } from "../../paying-port.ts";
import { RpcError } from "../../rpc/node-error.ts";
import { toHex } from "../crypto/points.ts";
import type { MonerodNode } from "../monerod-node.ts";
import { transactionsAtOnce, transactionsWithIds } from "../questions.ts";
import { areOutputKeysPoints } from "../scan.ts";
import type { MoneroTransaction } from "../transaction.ts";
import { type AskWallet, OutputsRefused, type ViewWallet } from "./view-wallet.ts";
import {
  exportOutputs,
  importKeyImages,
  moreSubaddresses,
  outputsOf,
  showTransactions,
  subaddress,
  type WalletOutput,
} from "./wallet-questions.ts";

/** The signer's: see `LateDraftSigner.claimCoins`. */
export type ClaimCoins = (
  coins: string,
  which: ClaimedCoins,
  addresses: number,
) => Promise<ClaimAnswer>;

export type KeyImageSource = {
  readonly node: MonerodNode;
  readonly wallet: ViewWallet;
  readonly claimCoins: ClaimCoins;
  /** Transactions with an output that the signer's wallet refuses. They are not shown again while this process runs. */
  readonly refused: Set<string>;
};

/**
 * Has the signer compute the key images of coins: shows the view-only wallet the transactions that brought them, and the signer's wallet what
 * the view-only wallet found. Afterwards both have the same outputs, so that one can sign what the other drafts.
 */
export async function readKeyImages(
  source: KeyImageSource,
  coins: readonly UnclaimedCoin[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  // Until 2026-11-28 some were credited that the signer's wallet refuses.
  const keys = await readOutputKeys(source, coins, areOutputKeysPoints, signal);
  const known = coins.filter(({ outpoint }) => keys.has(outpoint));
  return await learnTogether(source, known, keys, signal);
}

/** Finds those of the coins' transactions of which the signer's wallet refuses an output, after it has refused them together. */
export async function findRefused(
  source: KeyImageSource,
  coins: readonly UnclaimedCoin[],
  signal: AbortSignal,
): Promise<void> {
  await learnTogether(source, coins, await readOutputKeys(source, coins, isAny, signal), signal);
}

/** Whether the coin's transaction brought an output that the signer's wallet refuses. */
export function isRefused(
  { refused }: Pick<KeyImageSource, "refused">,
  { outpoint }: Pick<Coin, "outpoint">,
): boolean {
  return outpoint !== undefined && refused.has(txidOf(outpoint));
}

/**
 * If the signer's wallet refuses an output although the view-only wallet was empty before, a transaction of these coins brought it: they are
 * halved until it is alone, and the others are learned.
 */
async function learnTogether(
  source: KeyImageSource,
  coins: readonly UnclaimedCoin[],
  keys: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  try {
    return await source.wallet.use((ask) => learn(ask, source, coins, keys), signal);
  } catch (error) {
    if (!(error instanceof OutputsRefused)) throw error;
    const txids = [...new Set(coins.map(({ outpoint }) => txidOf(outpoint)))];
    const half = new Set(txids.slice(0, Math.floor(txids.length / 2)));
    if (half.size === 0) {
      for (const txid of txids) source.refused.add(txid);
      return new Map();
    }
    const isInHalf = ({ outpoint }: UnclaimedCoin): boolean => half.has(txidOf(outpoint));
    const others = coins.filter((coin) => !isInHalf(coin));
    return new Map([
      ...(await learnTogether(source, coins.filter(isInHalf), keys, signal)),
      ...(await learnTogether(source, others, keys, signal)),
    ]);
  }
}

async function learn(
  ask: AskWallet,
  { claimCoins }: Pick<KeyImageSource, "claimCoins">,
  coins: readonly UnclaimedCoin[],
  keys: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  await showCoins(ask, coins, keys);
  await showSigner(ask, claimCoins, coins);
  const images = imagesByKey(await ask(outputsOf("all")));
  return new Map(
    coins.flatMap(({ outpoint }) => {
      const image = images.get(keys.get(outpoint) ?? "") ?? null;
      return image === null ? [] : [[outpoint, image] as const];
    }),
  );
}

/**
 * The one-time keys of coins, by outpoint, as far as the node has their transactions, these are shown, and the signer's wallet has not refused an
 * output of theirs.
 */
async function readOutputKeys(
  { node, refused }: Pick<KeyImageSource, "node" | "refused">,
  coins: readonly UnclaimedCoin[],
  isShown: (transaction: MoneroTransaction) => boolean,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const txids = new Set(coins.map(({ outpoint }) => txidOf(outpoint)));
  const wanted = [...txids].filter((txid) => !refused.has(txid));
  const keys = new Map<string, string>();
  for (let from = 0; from < wanted.length; from += transactionsAtOnce) {
    const part = wanted.slice(from, from + transactionsAtOnce);
    const found = await node.consult((ask) => transactionsWithIds(ask, part), signal);
    for (const [txid, { transaction }] of found) {
      if (!isShown(transaction)) continue;
      for (const [index, { key }] of transaction.outputs.entries())
        keys.set(`${txid}:${index}`, toHex(key));
    }
  }
  return new Map(
    coins.flatMap(({ outpoint }) => {
      const key = keys.get(outpoint);
      return key === undefined ? [] : [[outpoint, key] as const];
    }),
  );
}

const isAny = (): boolean => true;

/**
 * Shows the wallet coins that it has lost, with its file, and the signer's wallet what it has found. Their key images are known, so the signer's
 * wallet has taken them before, whatever keys their transactions have for other outputs.
 */
export async function showAgain(
  source: Pick<KeyImageSource, "node" | "claimCoins" | "refused">,
  ask: AskWallet,
  coins: readonly UnclaimedCoin[],
  signal: AbortSignal,
): Promise<void> {
  await showCoins(ask, coins, await readOutputKeys(source, coins, isAny, signal));
  await showSigner(ask, source.claimCoins, coins);
}

/**
 * A wallet looks only at addresses up to some distance from the last one that was paid, and at blocks since it was created. Whatever of the
 * coins it has missed it is shown.
 */
async function showCoins(
  ask: AskWallet,
  coins: readonly UnclaimedCoin[],
  keys: ReadonlyMap<string, string>,
): Promise<void> {
  const found = new Set((await ask(outputsOf("all"))).map(({ key }) => key));
  const missing = coins.filter(({ outpoint }) => {
    const key = keys.get(outpoint);
    return key !== undefined && !found.has(key);
  });
  if (missing.length === 0) return;
  await watchUpTo(ask, Math.max(...missing.map(minorOf)));
  await ask(showTransactions([...new Set(missing.map(({ outpoint }) => txidOf(outpoint)))]));
}

/** Creates the subaddresses up to that number, if the wallet does not have it. */
async function watchUpTo(ask: AskWallet, minor: number): Promise<void> {
  try {
    await ask(subaddress(minor));
    return;
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
  }
  let highest = -1;
  while (highest < minor) highest = await ask(moreSubaddresses);
}

/** The subaddress of a coin within the account: deposit number n has n + 1, and change the account's own, 0. */
export function minorOf({ branch, keyIndex }: Pick<UnclaimedCoin, "branch" | "keyIndex">): number {
  return branch === 1 ? 0 : keyIndex + 1;
}

/**
 * Shows the signer's wallet the outputs without key images, and imports its answer. If that wallet has lost some, it is shown all of them first; if
 * the view-only one has, all key images are computed again. Throws `OutputsRefused`, with the coins that are shown, if it cannot spend one of them.
 */
async function showSigner(
  ask: AskWallet,
  claimCoins: ClaimCoins,
  coins: readonly UnclaimedCoin[],
): Promise<void> {
  const outputs = await ask(outputsOf("all"));
  if (outputs.length === 0) return;
  const addresses = outputs.reduce((most, { minor }) => Math.max(most, minor + 1), 0);
  const show = async (shown: "new" | "all", which: ClaimedCoins): Promise<CoinClaims | null> => {
    const answer = await claimCoins(await ask(exportOutputs(shown)), which, addresses);
    if (answer === "refused") throw new OutputsRefused(coins);
    return answer;
  };
  let answer = await show("new", "new");
  if (answer === null) {
    await show("all", "none");
    answer = await show("new", "new");
  }
  if (answer === null || !covers(answer, outputs)) answer = await show("all", "all");
  if (answer === null || !covers(answer, outputs))
    throw new Unavailable("signer", "it computed the key images of other coins");
  // Both have the outputs in the same order. The wallet verifies what it gets, so it gets only what it does not know.
  const known = knownIn(outputs);
  if (known === outputs.length) return;
  await ask(importKeyImages({ offset: known, claims: answer.claims.slice(known - answer.offset) }));
}

/** How many outputs come before the first one without a key image. */
function knownIn(outputs: readonly WalletOutput[]): number {
  const at = outputs.findIndex(({ keyImage }) => keyImage === null);
  return at < 0 ? outputs.length : at;
}

function covers({ claims, offset }: CoinClaims, outputs: readonly WalletOutput[]): boolean {
  return offset <= knownIn(outputs) && offset + claims.length === outputs.length;
}

function imagesByKey(outputs: readonly WalletOutput[]): ReadonlyMap<string, string | null> {
  return new Map(outputs.map(({ key, keyImage }) => [key, keyImage]));
}

function txidOf(outpoint: string): string {
  return outpoint.slice(0, outpoint.indexOf(":"));
}
