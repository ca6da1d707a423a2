import type { ChainAdapter } from "../../src/chains/chain-adapter.ts";
import type { Draft, Payment } from "../../src/chains/paying-port.ts";
import type { SharedAddressing } from "../../src/chains/port.ts";
import { createHttpNodes } from "../../src/chains/rpc/http-nodes.ts";
import { createTonAdapter } from "../../src/chains/ton/adapter.ts";
import { verifyToncenterNode } from "../../src/chains/ton/network.ts";
import { createToncenterNode } from "../../src/chains/ton/toncenter-node.ts";
import { builtInCurrencies } from "../../src/currencies/built-in-currencies.ts";
import type { Currency } from "../../src/currencies/currency.ts";
import { jetton, tokenOf } from "../../src/currencies/token-format.ts";
import type { JettonWalletForm } from "../../src/currencies/ton-facts.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { instantFromSeconds } from "../../src/platform/kernel/clock.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { jettonWallets, tokens } from "../../src/sandbox/ton/genesis.ts";
import type { Ed25519Keys } from "../../src/signer/draft-signer.ts";
import type { IntendedAsset } from "../../src/signer/intent.ts";
import { tonHotPath } from "../../src/signer/keys/account-paths.ts";
import { deriveEd25519 } from "../../src/signer/keys/ed25519-keys.ts";
import { createTonDraftSigner } from "../../src/signer/ton/draft-signer.ts";

/* Deployments on a simulated TON network: an adapter, and a signer with its keys. */

export const coin = "1140" as CurrencyId;
export const dollar = "2909" as CurrencyId;
export const { signal } = new AbortController();

/** The number of private networks. */
const privateGlobalId = -217;
/** The wallets of the network's test tokens, by master. */
const testJettons: Readonly<Record<string, JettonWalletForm>> = Object.fromEntries(
  Object.entries(jettonWallets).map(([master, { code_depth, code_hash, layout }]) => [
    master,
    { codeHash: code_hash, codeDepth: code_depth, layout },
  ]),
);

/** The keys of a deployment's signer, from a byte. */
export function keysOf(byte: number): Ed25519Keys {
  const seed = Buffer.alloc(64, byte);
  return {
    at: () => {
      throw new Error("this chain has no secp256k1 keys");
    },
    ed25519At: (path) => deriveEd25519(seed, path),
  };
}

export type ConnectedTon = {
  readonly adapter: ChainAdapter<SharedAddressing>;
  /** The hot account. */
  readonly hot: string;
  readonly close: () => Promise<void>;
};

/** The adapter of a deployment with those keys, over these nodes. */
export function connectTon(
  urls: readonly string[],
  keys: Ed25519Keys,
  options: {
    readonly globalId?: number;
    /** The master of the test dollar; absent: coin only. */
    readonly master?: string;
    readonly otherAccounts?: readonly string[];
  } = {},
): ConnectedTon {
  const { globalId = privateGlobalId, master, otherAccounts = [] } = options;
  const network = { kind: "main", globalId, jettonWallets: testJettons } as const;
  const nodes = createHttpNodes({
    nodes: urls.map((url) => ({ url })),
    chain: "TON",
    timeoutMs: 60_000,
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
    ...(globalId === privateGlobalId ? { verify: verifyToncenterNode(network) } : {}),
  });
  const node = createToncenterNode("TON", nodes);
  const hotKey = keys.ed25519At(tonHotPath("main")).publicKey;
  const adapter = createTonAdapter({
    network,
    node,
    hotKey,
    currencies: builtInCurrencies.flatMap((currency) => currencyWith(currency, master)),
    clock: systemClock,
    otherAccounts,
  });
  return { adapter, hot: adapter.addressing.treasury.hot.address, close: node.close };
}

function currencyWith(currency: Currency, master: string | undefined): readonly Currency[] {
  if (currency.id === coin) return [currency];
  if (currency.id !== dollar || master === undefined) return [];
  return [{ ...currency, token: tokenOf(jetton, master) }];
}

/** Signs a draft after the signer has found the payments in it. */
export function sign(draft: Draft, payments: readonly Payment[], keys: Ed25519Keys) {
  // Tests move the network's time far ahead of ours.
  const now = instantFromSeconds(Number(draft.body["createdAt"]));
  const signer = createTonDraftSigner({
    chain: "TON",
    network: "main",
    jettonWallets: testJettons,
    coldAddress: null,
    clock: { ...systemClock, now: () => now },
  });
  const payouts = payments.map(({ amount, destination }, place) => {
    const asset: IntendedAsset =
      amount.currency === coin
        ? { kind: "coin" }
        : { kind: "token", locator: present(tokens["USDT-TON"], "the test dollar") };
    const { address, tag } = destination;
    const units = amount.units.toString();
    const approved = { payoutId: `${place + 1}`, chain: "TON", approval: "" };
    return { ...approved, currency: amount.currency, address, tag, asset, units };
  });
  signer.inspect(
    draft.body,
    {
      spendId: "1",
      chain: "TON",
      feeCeiling: draft.feeUnits.toString(),
      kind: "payout",
      payouts,
    },
    keys,
  );
  return signer.sign(draft.body, keys);
}
