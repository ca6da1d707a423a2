import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChainAdapter } from "../../src/chains/chain-adapter.ts";
import { createMoneroAdapter } from "../../src/chains/monero/adapter.ts";
import { createMonerodNode } from "../../src/chains/monero/monerod-node.ts";
import { verifyMonerod } from "../../src/chains/monero/network.ts";
import type { Coin, Draft, Payment } from "../../src/chains/paying-port.ts";
import type { DerivedAddressing, Transfer } from "../../src/chains/port.ts";
import { createHttpNodes } from "../../src/chains/rpc/http-nodes.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { mineMonero, payFromMoneroFaucet } from "../../src/sandbox/drive-monero-node.ts";
import type { SignedDraft } from "../../src/signer/draft-signer.ts";
import type { SpendIntent } from "../../src/signer/intent.ts";
import { accountPath } from "../../src/signer/keys/account-paths.ts";
import { sealKeys } from "../../src/signer/keys/key-ring.ts";
import { deriveMoneroKeys, secretHex } from "../../src/signer/monero/account-keys.ts";
import { createMoneroDraftSigner } from "../../src/signer/monero/draft-signer.ts";
import { createOfflineWallet } from "../../src/signer/monero/offline-wallet.ts";
import { xmr } from "./monero-adapter.ts";
import { moneroRegtest } from "./monero-network.ts";
import type { TestMonero } from "./monero-node.ts";

/** An account of our own that pays: its adapter with a view-only wallet, and its signer with an offline wallet. */
export type MoneroPayer = {
  readonly adapter: ChainAdapter<DerivedAddressing>;
  readonly signer: ReturnType<typeof createMoneroDraftSigner>;
  /**
   * Receives one coin per amount at deposit addresses of its own, beginning with that number (default: the next one), and waits until all
   * can be spent.
   */
  readonly receive: (amounts: readonly bigint[], from?: number) => Promise<readonly Coin[]>;
  /** Mines a transaction of our own, and resolves with its one coin of change once that can be spent. */
  readonly receivedBack: (txid: string) => Promise<Coin>;
  /** Has the signer compute the key images of coins that are on the chain. */
  readonly claimed: (
    coins: readonly Omit<Coin, "claim" | "addressType">[],
  ) => Promise<readonly Coin[]>;
  readonly sign: (draft: Draft, payments: readonly Payment[]) => Promise<SignedDraft>;
  readonly signIntent: (draft: Draft, intent: SpendIntent) => Promise<SignedDraft>;
  /** Closes the view-only wallet and removes its file. */
  readonly loseViewWallet: () => Promise<void>;
  readonly close: () => Promise<void>;
};

const never = new AbortController().signal;

/** Asks again while the offline wallet creates subaddresses, or starts, as a worker does. */
async function untilKnown<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!/it creates subaddresses|is still starting/.test(String(error))) throw error;
    }
  }
}

export async function openMoneroPayer(
  node: TestMonero,
  programs: { readonly walletRpc: string },
  seed = 5,
): Promise<MoneroPayer> {
  const folder = await mkdtemp(join(tmpdir(), "sluice-monero-signer-"));
  const world = { clock: systemClock, logger: silentLogger, random: systemRandom };
  const common = { ...world, chain: "XMR", timeoutMs: 60_000 };
  const nodes = createHttpNodes({
    ...common,
    nodes: [{ url: node.rpcUrl }],
    verify: verifyMonerod(moneroRegtest),
  });
  const wallet = createHttpNodes({ ...common, nodes: [{ url: node.viewWalletUrl }] });
  const sealed = sealKeys(new Uint8Array(32).fill(seed), systemRandom);
  const path = accountPath({ coinType: 128, isSharedByNetworks: false }, "", "test");
  const keys = sealed.lend((ring) => deriveMoneroKeys(ring.at, path));
  const signer = createMoneroDraftSigner({
    chain: "XMR",
    network: "test",
    addresses: "main",
    coldAddress: null,
    wallet: createOfflineWallet({
      program: programs.walletRpc,
      folder: join(folder, "wallet"),
      network: "main",
      ...world,
    }),
  });
  const adapter = createMoneroAdapter({
    network: moneroRegtest,
    node: createMonerodNode("XMR", nodes),
    currency: xmr,
    viewKey: Buffer.from(secretHex(keys.viewSecret), "hex"),
    spendKey: keys.spend.toBytes(),
    clock: systemClock,
    paying: {
      wallet,
      claimCoins: (coins, which, addresses) =>
        sealed.lend((ring) => signer.claimCoins(coins, which, addresses, ring)),
    },
  });
  const writer = present(adapter.writer, "a writer");
  let issued = 0;

  const signIntent: MoneroPayer["signIntent"] = (draft, intent) =>
    sealed.lend(async (ring) => {
      signer.inspect(draft.body, intent, ring);
      return await signer.sign(draft.body, ring, intent);
    });

  /** Mines until what the transaction brings can be spent. */
  const mineTransfers = async (txid: string): Promise<readonly Transfer[]> => {
    await mineMonero(node.drive, 12);
    const tip = await adapter.reader.tip(never);
    const found: Transfer[] = [];
    for (let height = tip.height - 12; height <= tip.height; height += 1) {
      const block = present(await adapter.reader.headerAt(height, never), "a block");
      const content = present(await adapter.reader.readBlock(block, never), "its content");
      found.push(...content.transfers.filter(({ key }) => key.txid === txid));
    }
    return found;
  };

  const claimed: MoneroPayer["claimed"] = async (coins) => {
    const shown = coins.map(({ outpoint, ...coin }) => ({
      ...coin,
      outpoint: present(outpoint, "an outpoint"),
    }));
    const images = await untilKnown(() => present(writer.keyImagesOf, "key images")(shown, never));
    return shown.map((coin) => ({
      ...coin,
      addressType: "",
      claim: present(images.get(coin.outpoint), "a key image"),
    }));
  };

  return {
    adapter,
    signer,
    receive: async (amounts, first = issued) => {
      issued = first + amounts.length;
      const { addressing } = adapter;
      const targets = amounts.map((units, place) => ({
        units,
        destination: addressing.depositAt(first + place, null),
        keyIndex: first + place,
      }));
      const txid = await payFromMoneroFaucet(
        node.drive,
        targets.map(({ destination, units }) => ({ address: destination.address, units })),
      );
      const found = await mineTransfers(txid);
      return claimed(
        targets.map(({ destination, keyIndex, units }) => {
          const watchKey = addressing.watchKey(destination);
          const { key } = present(
            found.find(({ to }) => to === watchKey),
            "the transfer",
          );
          return { outpoint: `${key.txid}:${key.index}`, units, branch: 0 as const, keyIndex };
        }),
      );
    },
    receivedBack: async (txid) => {
      const { addressing } = adapter;
      const own = addressing.watchKey(present(addressing.changeAt, "change addresses")(0));
      const { asset, key } = present(
        (await mineTransfers(txid)).find(({ to }) => to === own),
        "the change",
      );
      if (asset.kind !== "currency") throw new Error("no change of XMR");
      const { units } = asset.amount;
      const outpoint = `${key.txid}:${key.index}`;
      const [coin] = await claimed([{ outpoint, units, branch: 1, keyIndex: 0 }]);
      return present(coin, "a coin");
    },
    claimed,
    signIntent,
    sign: (draft, payments) =>
      signIntent(draft, {
        kind: "payout",
        spendId: "1",
        chain: "XMR",
        feeCeiling: draft.feeUnits.toString(),
        payouts: payments.map(({ amount, destination }, place) => ({
          payoutId: String(place + 1),
          chain: "XMR",
          address: destination.address,
          tag: null,
          currency: xmr,
          asset: { kind: "coin" },
          units: amount.units.toString(),
          approval: "",
        })),
      }),
    loseViewWallet: async () => {
      await wallet.run(
        ({ send }) =>
          send({
            method: "POST",
            path: "/json_rpc",
            body: JSON.stringify({ jsonrpc: "2.0", id: 0, method: "close_wallet" }),
          }),
        never,
      );
      await rm(join(node.folder, "view-wallets"), { recursive: true });
      await mkdir(join(node.folder, "view-wallets"));
    },
    close: async () => {
      await signer.close();
      await nodes.close();
      await wallet.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
