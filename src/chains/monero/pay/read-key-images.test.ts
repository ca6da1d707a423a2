/**
 * Outputs that the signer's wallet refuses stop no others, with a wallet program that is made up: each refusal of Monero's own programs that
 * is known is kept from them, and there may be others. `test/nodes/monero-poisoned-outputs.test.ts` has the real ones.
 */
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  type CraftedMonerod,
  startCraftedMonerod,
} from "../../../../test/support/crafted-monerod.ts";
import {
  type FakeMoneroWallet,
  imageOf,
  startFakeMoneroWallet,
} from "../../../../test/support/fake-monero-wallet.ts";
import { moneroRegtest } from "../../../../test/support/monero-network.ts";
import addresses from "../../../../test/vectors/monero-addresses.json" with { type: "json" };
import { silentLogger } from "../../../platform/kernel/logger.ts";
import { systemClock } from "../../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../../platform/kernel/system-random.ts";
import type { UnclaimedCoin } from "../../paying-port.ts";
import { createHttpNodes } from "../../rpc/http-nodes.ts";
import { createMonerodNode, type MonerodNode } from "../monerod-node.ts";
import { verifyMonerod } from "../network.ts";
import { type KeyImageSource, readKeyImages } from "./read-key-images.ts";

const { signal } = new AbortController();
const address = addresses.wallet.subaddresses[1]!.address;

let chain: CraftedMonerod;
let node: MonerodNode;
let wallet: FakeMoneroWallet;
let source: KeyImageSource;
let sent = 0n;

beforeEach(async () => {
  chain = await startCraftedMonerod();
  const nodes = createHttpNodes({
    nodes: [{ url: chain.url }],
    chain: "XMR",
    clock: systemClock,
    logger: silentLogger,
    random: systemRandom,
    timeoutMs: 60_000,
    verify: verifyMonerod(moneroRegtest),
  });
  node = createMonerodNode("XMR", nodes);
  wallet = await startFakeMoneroWallet();
  const { claimCoins, viewWallet } = wallet;
  source = { node, wallet: viewWallet, claimCoins, refused: new Set() };
});
afterEach(async () => {
  await wallet.close();
  await node.close();
  await chain.close();
});

type Paid = UnclaimedCoin & { readonly key: string };

/** A transaction that pays deposit 0, which both wallets take, or only the view-only one. */
function pay({ isRefused = false, invalidOutputKeys = [] as readonly number[] } = {}): Paid {
  sent += 1n;
  const { oneTimeKeys, txid } = chain.send({
    secret: 5_000n + sent,
    outputs: [{ address, units: 5_000n }],
    keyImage: sent.toString(16).padStart(64, "0"),
    hasOutputKeys: invalidOutputKeys.length > 0,
    invalidOutputKeys,
  });
  const key = oneTimeKeys[0]!;
  wallet.mine({ txid, key, minor: 1, isRefused });
  return { outpoint: `${txid}:0`, branch: 0, keyIndex: 0, key };
}

const imagesOf = (coins: readonly Paid[]): ReadonlyMap<string, string> =>
  new Map(coins.map(({ key, outpoint }) => [outpoint, imageOf(key)]));

it("learns coins after a stranger's output was refused, as often as strangers pay", async () => {
  const first = pay();
  expect(await readKeyImages(source, [first], signal)).toEqual(imagesOf([first]));
  expect(wallet.files()).toHaveLength(1);
  for (let days = 0; days < 3; days += 1) {
    pay({ isRefused: true });
    const coin = pay();
    expect(await readKeyImages(source, [first, coin], signal)).toEqual(imagesOf([first, coin]));
    // The first of these outputs had the wallet replaced by one that reads no blocks.
    expect(wallet.files()).toHaveLength(2);
  }
});

it("opens the wallet that took the place of the first one after a restart of its program", async () => {
  await readKeyImages(source, [pay()], signal);
  pay({ isRefused: true });
  await readKeyImages(source, [pay()], signal);
  const files = wallet.files();
  wallet.closeFile();
  const coin = pay();
  expect(await readKeyImages(source, [coin], signal)).toEqual(imagesOf([coin]));
  expect(wallet.files()).toEqual(files);
});

it("finds the transactions among its own coins of which an output is refused, and shows them once", async () => {
  const coins = Array.from({ length: 9 }, (_, place) => pay({ isRefused: place % 5 === 2 }));
  const good = coins.filter((_, place) => place % 5 !== 2);
  expect(await readKeyImages(source, coins, signal)).toEqual(imagesOf(good));
  expect(source.refused.size).toBe(2);
  expect(await readKeyImages(source, coins, signal)).toEqual(imagesOf(good));
  const [files, shown] = [wallet.files().length, wallet.shown.length];
  expect(await readKeyImages(source, coins, signal)).toEqual(imagesOf(good));
  expect([wallet.files().length, wallet.shown.length]).toEqual([files, shown]);
});

it("shows no transaction of which one key for an output is no point", async () => {
  const [coin, poisoned] = [pay(), pay({ invalidOutputKeys: [0] })];
  expect(await readKeyImages(source, [poisoned], signal)).toEqual(new Map());
  await readKeyImages(source, [coin, poisoned], signal);
  expect(wallet.shown).not.toContain(poisoned.outpoint.split(":")[0]);
});
