import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import { Wallet } from "xrpl";
import type { ChainAdapter } from "../../src/chains/chain-adapter.ts";
import type { Draft, Payment } from "../../src/chains/paying-port.ts";
import type { SharedAddressing } from "../../src/chains/port.ts";
import { createHttpNodes } from "../../src/chains/rpc/http-nodes.ts";
import { createXrplAdapter } from "../../src/chains/xrpl/adapter.ts";
import { verifyRippledNode } from "../../src/chains/xrpl/network.ts";
import { createRippledNode } from "../../src/chains/xrpl/rippled-node.ts";
import { builtInCurrencies } from "../../src/currencies/built-in-currencies.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import type { KeyRing } from "../../src/signer/draft-signer.ts";
import type { SpendIntent } from "../../src/signer/intent.ts";
import { accountPath } from "../../src/signer/keys/account-paths.ts";
import { createXrplDraftSigner } from "../../src/signer/xrpl/draft-signer.ts";

/* Our accounts on a simulated XRP Ledger: the adapter drafts, the signer's own code signs, the node gets the transaction. */

export const coin = "1010" as CurrencyId;
export const { signal } = new AbortController();

const tree = { coinType: 144, isSharedByNetworks: false };
const version = { public: 0x043587cf, private: 0x04358394 };
const path = accountPath(tree, "hot", "test");

/** The signer's keys and the extended public key of the hot account, for a mnemonic. */
export function keysOf(words: string): { readonly keys: KeyRing; readonly hotXpub: string } {
  const seed = mnemonicToSeedSync(words);
  return {
    keys: { at: (at) => HDKey.fromMasterSeed(seed).derive(at) },
    hotXpub: HDKey.fromMasterSeed(seed, version).derive(path).publicExtendedKey,
  };
}

const junk = "test test test test test test test test test test test junk";
const own = keysOf(junk);

/** The hot account in the chain's own SDK. */
export const hotWallet = walletOf(own.keys.at(`${path}/0/0`));

function walletOf({ publicKey, privateKey }: HDKey): Wallet {
  const hex = (bytes: Uint8Array | null): string =>
    Buffer.from(present(bytes, "a key")).toString("hex").toUpperCase();
  return new Wallet(hex(publicKey), `00${hex(privateKey)}`);
}

export type ConnectedXrpl = {
  readonly adapter: ChainAdapter<SharedAddressing>;
  readonly close: () => Promise<void>;
};

/** The adapter of the chain on the nodes at the URLs. */
export function connectXrpl(
  urls: readonly string[],
  {
    hotXpub = own.hotXpub,
    networkId = 1000,
    verifies = true,
  }: {
    readonly hotXpub?: string;
    readonly networkId?: number;
    /** Each node is checked before its answers count; off to test the reader's own check. */
    readonly verifies?: boolean;
  } = {},
): ConnectedXrpl {
  const network = { networkId };
  const nodes = createHttpNodes({
    nodes: urls.map((url) => ({ url })),
    chain: "XRP",
    clock: systemClock,
    logger: silentLogger,
    random: systemRandom,
    timeoutMs: 60_000,
    attempts: 2,
    ...(verifies ? { verify: verifyRippledNode(network) } : {}),
  });
  const node = createRippledNode("XRP", nodes);
  const currencies = builtInCurrencies.filter(({ id }) => id === coin);
  const adapter = createXrplAdapter({
    network,
    kind: "test",
    node,
    hotXpub,
    currencies,
    clock: systemClock,
  });
  return { adapter, close: node.close };
}

export type Signed = { readonly txid: string; readonly raw: Uint8Array };

/** Signs what the intent allows, up to the fee that the draft states; fails if the signer refuses it. */
export function sign(
  draft: Draft,
  intent: { readonly kind: "gap" } | Payment,
  {
    keys = own.keys,
    networkId = 1000,
  }: { readonly keys?: KeyRing; readonly networkId?: number } = {},
): Signed {
  const signer = createXrplDraftSigner({
    chain: "XRP",
    network: "test",
    networkId,
    coldAddress: null,
  });
  const common = { spendId: "1", chain: "XRP", feeCeiling: draft.feeUnits.toString() };
  const whole: SpendIntent =
    "kind" in intent
      ? { ...common, ...intent }
      : { ...common, kind: "payout", payouts: [payoutOf(intent)] };
  const { claims, validity } = signer.inspect(draft.body, whole, keys);
  if (claims.join() !== draft.claims.join() || validity?.kind !== draft.validity?.kind)
    throw new Error(`the signer reads ${claims.join()}`);
  return signer.sign(draft.body, keys);
}

function payoutOf({ amount, destination }: Payment) {
  return {
    payoutId: "1",
    chain: "XRP",
    address: destination.address,
    tag: destination.tag,
    currency: amount.currency,
    asset: { kind: "coin" },
    units: amount.units.toString(),
    approval: "",
  } as const;
}

/** A draft from the account; fails where the adapter makes none. */
export async function draftFrom(
  { adapter }: ConnectedXrpl,
  payment: Payment | null,
  sequence?: bigint,
  replaces: Draft | null = null,
): Promise<Draft> {
  const writer = present(adapter.writer, "a writer");
  const { address } = adapter.addressing.treasury.hot;
  const next = sequence ?? (await writer.account?.nextSequence?.(address, signal)) ?? null;
  const outcome = await writer.draft(
    {
      payments: payment === null ? [] : [payment],
      funds: { kind: "account", address, sequence: next },
      feeTarget: null,
      feeCeiling: 1_000_000n,
      replaces,
    },
    signal,
  );
  if (outcome.kind !== "draft") throw new Error(`no draft: ${outcome.kind}`);
  return outcome.draft;
}
