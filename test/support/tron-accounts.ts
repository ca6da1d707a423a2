import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import type { Draft, Payment } from "../../src/chains/paying-port.ts";
import { createHttpNodes } from "../../src/chains/rpc/http-nodes.ts";
import { createTronAddressing } from "../../src/chains/tron/addressing.ts";
import { createTronNode, type TronNode } from "../../src/chains/tron/tron-node.ts";
import { createTronWriter } from "../../src/chains/tron/writer.ts";
import { builtInCurrencies } from "../../src/currencies/built-in-currencies.ts";
import { type Currency, chainAsset } from "../../src/currencies/currency.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { addSeconds, type Clock } from "../../src/platform/kernel/clock.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { type CurrencyId, money } from "../../src/platform/kernel/money.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import type { KeyRing } from "../../src/signer/draft-signer.ts";
import type { SpendIntent } from "../../src/signer/intent.ts";
import { tronAccounts } from "../../src/signer/keys/account-paths.ts";
import { createTronDraftSigner } from "../../src/signer/tron/draft-signer.ts";
import type { PrivateTron } from "./private-tron.ts";

/* Our accounts on a simulated ledger: the adapter drafts, the signer's own code signs, the node gets the transaction. */

const seed = mnemonicToSeedSync("test test test test test test test test test test test junk");
const keys: KeyRing = { at: (path) => HDKey.fromMasterSeed(seed).derive(path) };
const paths = tronAccounts("test");
const version = { public: 0x043587cf, private: 0x04358394 };
const xpub = (path: string): string =>
  HDKey.fromMasterSeed(seed, version).derive(path).publicExtendedKey;

/** Extended public keys of our accounts. */
export const accountXpubs = {
  deposits: xpub(paths.deposits),
  hot: xpub(paths.hot),
  gas: xpub(paths.gas),
};

/** The key of a deposit address or of the gas account, for transactions that only a person or a test would make. */
export function privateKeyOf(account: number | "gas"): string {
  const path = account === "gas" ? `${paths.gas}/0/0` : `${paths.deposits}/0/${account}`;
  return Buffer.from(present(keys.at(path).privateKey, `the key at ${path}`)).toString("hex");
}

export const { signal } = new AbortController();
export const coin = "1026" as CurrencyId;
export const tether = "2145" as CurrencyId;
export const sunPerTrx = 1_000_000n;

export type Signed = { readonly txid: string; readonly raw: Uint8Array; readonly draft: Draft };

/** The chain's coin and the ledger's token, as a deployment lists them. */
export function listedCurrencies({ usdt }: PrivateTron): readonly Currency[] {
  return builtInCurrencies.flatMap((currency) => {
    if (currency.id === coin) return [currency];
    return currency.id === tether
      ? [{ ...currency, token: { contract: usdt, locator: usdt } }]
      : [];
  });
}

/** The adapter's client of the ledger's node. */
function nodeOf({ tron }: PrivateTron): TronNode {
  const nodes = createHttpNodes({
    nodes: [{ url: tron.url }],
    chain: "TRX",
    clock: systemClock,
    logger: silentLogger,
    random: systemRandom,
    timeoutMs: 60_000,
  });
  return createTronNode("TRX", nodes);
}

/** Blocks made on demand carry the ledger's time ahead of ours, in benchmarks by days; the signer refuses what expires more than an hour from its own. */
const signerClock: Clock = {
  ...systemClock,
  now: () => addSeconds(systemClock.now(), 7 * 86_400),
};

/** Opens our accounts on the ledger. */
export function openTronAccounts(ledger: PrivateTron) {
  const currencies = listedCurrencies(ledger);
  const node = nodeOf(ledger);
  const addressing = createTronAddressing(accountXpubs.deposits, currencies, accountXpubs);
  const { hot, gas } = present(addressing.treasury, "our own accounts");
  const writer = createTronWriter({ node, currencies, clock: systemClock });
  const signer = createTronDraftSigner({
    chain: "TRX",
    network: "test",
    coldAddress: null,
    clock: signerClock,
  });
  const assetOf = (id: CurrencyId) =>
    chainAsset(
      present(
        currencies.find((currency) => currency.id === id),
        `currency ${id}`,
      ),
    );
  /** Signs what the intent allows, up to the fee that the draft states; fails if the signer refuses it. */
  const sign = (draft: Draft, intent: IntentParts, feeCeiling = draft.feeUnits): Signed => {
    const whole = {
      spendId: "1",
      chain: "TRX",
      feeCeiling: feeCeiling.toString(),
      ...intent,
    } as SpendIntent;
    const inspected = signer.inspect(draft.body, whole, keys);
    if (inspected.feeUnits < draft.feeUnits)
      throw new Error(
        `the signer bounds the fee by ${inspected.feeUnits}, the draft by ${draft.feeUnits}`,
      );
    return { ...signer.sign(draft.body, keys), draft };
  };
  const draftPayout = async (payment: Payment): Promise<Draft> => {
    const funds = { kind: "account", address: hot.address, sequence: null } as const;
    const feeCeiling = 1_000n * sunPerTrx;
    const outcome = await writer.draft(
      { payments: [payment], funds, feeTarget: null, feeCeiling, replaces: null },
      signal,
    );
    if (outcome.kind !== "draft") throw new Error(`no draft: ${JSON.stringify(outcome, printed)}`);
    return outcome.draft;
  };
  const signPayout = (draft: Draft, { destination, amount }: Payment): Signed =>
    sign(draft, {
      kind: "payout",
      payouts: [
        {
          payoutId: "1",
          chain: "TRX",
          address: destination.address,
          tag: null,
          currency: amount.currency,
          asset: assetOf(amount.currency),
          units: amount.units.toString(),
          approval: "",
        },
      ],
    });
  return {
    node,
    currencies,
    addressing,
    writer,
    hot: hot.address,
    gas: gas.address,
    sign,
    assetOf,
    draftPayout,
    signPayout,
    /** Drafts, signs and broadcasts; the transaction is in no block yet. */
    pay: async (payment: Payment): Promise<Signed> => {
      const signed = signPayout(await draftPayout(payment), payment);
      const outcome = await writer.broadcast(signed.raw, signal);
      if (outcome.kind !== "accepted") throw new Error(JSON.stringify(outcome));
      return signed;
    },
    close: () => node.close(),
  };
}

/** The members that distinguish an intent's kind. */
type IntentParts = SpendIntent extends infer One
  ? One extends SpendIntent
    ? Omit<One, "spendId" | "chain" | "feeCeiling">
    : never
  : never;

export type TronAccounts = ReturnType<typeof openTronAccounts>;

/** An amount of a currency to an address. */
export function payment(address: string, currency: CurrencyId, units: bigint): Payment {
  return {
    destination: { address, addressType: null, tag: null },
    amount: money(units, currency),
  };
}

/** Sends an address coin and tokens from the faucet. */
export async function fund(
  { web, send, callOf, usdt, mine, faucet }: PrivateTron,
  address: string,
  { sun = 0n, tokens = 0n }: { readonly sun?: bigint; readonly tokens?: bigint },
): Promise<void> {
  if (sun > 0n) await send(await web.transactionBuilder.sendTrx(address, Number(sun), faucet));
  if (tokens > 0n)
    await send(
      await callOf(usdt, "transfer(address,uint256)", [
        { type: "address", value: address },
        { type: "uint256", value: tokens.toString() },
      ]),
    );
  await mine();
}

function printed(_name: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}
