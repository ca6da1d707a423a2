import { Unavailable } from "../../../platform/kernel/unavailable.ts";
import type { ClaimedCoins, CoinClaims } from "../../../signer/intent.ts";
import type { UnclaimedCoin } from "../../paying-port.ts";
import { RpcError } from "../../rpc/node-error.ts";
import { toHex } from "../crypto/points.ts";
import type { MonerodNode } from "../monerod-node.ts";
import { transactionsAtOnce, transactionsWithIds } from "../questions.ts";
import type { AskWallet, ViewWallet } from "./view-wallet.ts";
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
export type ClaimCoins = (coins: string, which: ClaimedCoins) => Promise<CoinClaims | null>;

export type KeyImageSource = {
  readonly node: MonerodNode;
  readonly wallet: ViewWallet;
  readonly claimCoins: ClaimCoins;
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
  const keys = await readOutputKeys(source.node, coins, signal);
  return source.wallet.use(async (ask) => {
    await showCoins(ask, coins, keys);
    await showSigner(ask, source.claimCoins);
    const images = imagesByKey(await ask(outputsOf("all")));
    return new Map(
      [...keys].flatMap(([outpoint, key]) => {
        const image = images.get(key) ?? null;
        return image === null ? [] : [[outpoint, image] as const];
      }),
    );
  }, signal);
}

/** The one-time keys of coins, by outpoint, as far as the node has their transactions. */
async function readOutputKeys(
  node: MonerodNode,
  coins: readonly UnclaimedCoin[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const txids = [...new Set(coins.map(({ outpoint }) => txidOf(outpoint)))];
  const keys = new Map<string, string>();
  for (let from = 0; from < txids.length; from += transactionsAtOnce) {
    const part = txids.slice(from, from + transactionsAtOnce);
    const found = await node.consult((ask) => transactionsWithIds(ask, part), signal);
    for (const [txid, { transaction }] of found)
      for (const [index, { key }] of transaction.outputs.entries())
        keys.set(`${txid}:${index}`, toHex(key));
  }
  return new Map(
    coins.flatMap(({ outpoint }) => {
      const key = keys.get(outpoint);
      return key === undefined ? [] : [[outpoint, key] as const];
    }),
  );
}

/** Shows the wallet coins that it has lost, with its file, and the signer's wallet what it has found. */
export async function showAgain(
  { node, claimCoins }: Pick<KeyImageSource, "node" | "claimCoins">,
  ask: AskWallet,
  coins: readonly UnclaimedCoin[],
  signal: AbortSignal,
): Promise<void> {
  await showCoins(ask, coins, await readOutputKeys(node, coins, signal));
  await showSigner(ask, claimCoins);
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
 * the view-only one has, all key images are computed again.
 */
async function showSigner(ask: AskWallet, claimCoins: ClaimCoins): Promise<void> {
  const outputs = await ask(outputsOf("all"));
  if (outputs.length === 0) return;
  let answer = await claimCoins(await ask(exportOutputs("new")), "new");
  if (answer === null) {
    await claimCoins(await ask(exportOutputs("all")), "none");
    answer = await claimCoins(await ask(exportOutputs("new")), "new");
  }
  if (answer === null || !covers(answer, outputs))
    answer = await claimCoins(await ask(exportOutputs("all")), "all");
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
