import { bech32 } from "@scure/base";
import { Keypair, Operation } from "@stellar/stellar-sdk";
import type { LedgerEntryData } from "@stellar/stellar-sdk/xdr";
import { afterAll, beforeAll, expect } from "vitest";
import type { ChainWriter, Draft, Payment } from "../../src/chains/paying-port.ts";
import type { ChainReader, Destination } from "../../src/chains/port.ts";
import { createHttpNodes } from "../../src/chains/rpc/http-nodes.ts";
import { channelsOf, noChannels } from "../../src/chains/stellar/channels.ts";
import { addressOfKey } from "../../src/chains/stellar/payee-addressing.ts";
import { createStellarReader } from "../../src/chains/stellar/reader.ts";
import { createStellarNode, type StellarNode } from "../../src/chains/stellar/stellar-node.ts";
import { createStellarWriter, type StellarWriterOptions } from "../../src/chains/stellar/writer.ts";
import { builtInCurrencies } from "../../src/currencies/built-in-currencies.ts";
import type { Currency } from "../../src/currencies/currency.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import type { Ed25519Keys, ExtendedEd25519Keys } from "../../src/signer/draft-signer.ts";
import type { SpendIntent } from "../../src/signer/intent.ts";
import { deriveExtendedEd25519, icarusRoot } from "../../src/signer/keys/bip32-ed25519.ts";
import { deriveEd25519 } from "../../src/signer/keys/ed25519-keys.ts";
import { seedOfEntropy } from "../../src/signer/keys/seed-of-entropy.ts";
import { createStellarDraftSigner } from "../../src/signer/stellar/draft-signer.ts";
import { named, useStellarNetwork } from "./stellar-network.ts";

const { signal } = new AbortController();
export const coin = "1021" as CurrencyId;
export const token = "2910" as CurrencyId;
const entropy = new Uint8Array(16);
const seed = seedOfEntropy(entropy);
const keys: Ed25519Keys & ExtendedEd25519Keys = {
  at: () => {
    throw new Error("this chain has no secp256k1 keys");
  },
  ed25519At: (path) => deriveEd25519(seed, path),
  extendedEd25519At: (path) => deriveExtendedEd25519(icarusRoot(entropy), path),
};
/** "abandon ... about" at account 1, of SEP-5. */
export const hotKeys = Keypair.fromSecret(
  "SCHDCVCWGAKGIMTORV6K5DYYV3BY4WG3RA4M6MCBGJLHUCWU2MC6DL66",
);
export const hot = hotKeys.publicKey();
export const channelCount = 5;

/** The channels of the signer, of which so many are configured. */
export function channelsLending(count: number) {
  const { publicKey, chainCode } = keys.extendedEd25519At("m/1852'/148'/3'");
  const words = bech32.toWords(Uint8Array.from([...publicKey, ...chainCode]));
  return channelsOf(bech32.encode("acct_xvk", words, false), count);
}

/** The hot account on a simulated network, with coin and a token, and its signer. */
export type PayingStellar = ReturnType<typeof usePayingStellar>;

export function usePayingStellar() {
  const site = useStellarNetwork();
  let options: StellarWriterOptions | null = null;
  let pays: { readonly writer: ChainWriter; readonly reader: ChainReader } | null = null;
  beforeAll(async () => {
    options = optionsFor(site.reached().network);
    pays = { writer: createStellarWriter(options), reader: createStellarReader(options) };
    const dollar = site.testDollar();
    await site.execute(
      site.faucet(),
      [
        Operation.createAccount({ destination: hot, startingBalance: "1000" }),
        Operation.changeTrust({ asset: dollar, source: hot }),
        Operation.payment({ destination: hot, asset: dollar, amount: "50" }),
      ],
      [hotKeys],
    );
  });
  afterAll(async () => {
    await options?.node.close();
  });
  const reached = () => ({ ...site.reached(), ...present(pays, "a writer and a reader") });
  const account = () => present(reached().writer.account, "an account");
  return {
    ...site,
    reached,
    account,
    options: () => present(options, "the writer's options"),
    nextSequence: () => present(account().nextSequence, "sequences")(hot, signal),
    ...signing(() => site.reached().network),
  };
}

type Network = ReturnType<ReturnType<typeof useStellarNetwork>["reached"]>["network"];

function optionsFor(network: Network): StellarWriterOptions {
  const dollar = present(network.tokens["USDC-XLM"], "the test token");
  const currencies = builtInCurrencies
    .filter(({ id }) => id === coin || id === token)
    .map(
      (currency): Currency =>
        currency.kind === "coin"
          ? currency
          : { ...currency, token: { contract: dollar, locator: dollar } },
    );
  const nodes = createHttpNodes({
    nodes: [{ url: network.rpcUrl }],
    chain: "XLM",
    timeoutMs: 5_000,
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
  });
  return {
    node: createStellarNode("XLM", nodes),
    network: { passphrase: network.networkPassphrase },
    currencies,
    channels: noChannels,
    clock: systemClock,
  };
}

/** The signer inspects what it signs, and must read in a draft what the writer says of it. */
function signing(network: () => Network) {
  const inspectAndSign = (draft: Draft, intent: SpendIntent) => {
    const signer = createStellarDraftSigner({
      chain: "XLM",
      network: "main",
      passphrase: network().networkPassphrase,
      assets: [],
      channels: channelCount,
      coldAddress: null,
      clock: systemClock,
    });
    const { sender = hot, ...inspected } = signer.inspect(draft.body, intent, keys);
    expect(sender).toBe(hot);
    const { claims, feeUnits, validity } = draft;
    expect(inspected).toEqual({ claims, decisive: claims.slice(0, 1), feeUnits, validity });
    return signer.sign(draft.body, keys);
  };
  const signedAll = (draft: Draft, payments: readonly Payment[]) => {
    const locator = network().tokens["USDC-XLM"] ?? "";
    const intent: SpendIntent = {
      spendId: "1",
      chain: "XLM",
      feeCeiling: "10000",
      kind: "payout",
      payouts: payments.map(({ destination, amount: { currency, units } }, at) => ({
        payoutId: String(at + 1),
        chain: "XLM",
        address: destination.address,
        tag: destination.tag,
        currency,
        asset: currency === coin ? { kind: "coin" } : { kind: "token", locator },
        units: units.toString(),
        approval: "",
      })),
    };
    return inspectAndSign(draft, intent);
  };
  return {
    inspectAndSign,
    signedAll,
    signed: (draft: Draft, destination: Destination, units: bigint, currency = coin) =>
      signedAll(draft, [{ destination, amount: { units, currency } }]),
  };
}

/** Drafts a payment of the hot account. */
export async function drafted(
  { nextSequence, reached }: PayingStellar,
  destination: Destination,
  units: bigint,
  { currency = coin, feeCeiling = 10_000n }: { currency?: CurrencyId; feeCeiling?: bigint } = {},
) {
  const request = {
    payments: [{ destination, amount: { units, currency } }],
    funds: { kind: "account", address: hot, sequence: await nextSequence() },
    feeTarget: null,
    feeCeiling,
    replaces: null,
  } as const;
  return await reached().writer.draft(request, signal);
}

/** A payment that is drafted and signed, but not sent. */
export async function prepare(
  site: PayingStellar,
  destination: Destination,
  units: bigint,
  currency = coin,
) {
  const outcome = await drafted(site, destination, units, { currency });
  if (outcome.kind !== "draft") throw new Error(JSON.stringify(outcome.kind));
  return { draft: outcome.draft, ...site.signed(outcome.draft, destination, units, currency) };
}

/** Payments of one transaction, without memo, signed but not sent. */
export async function prepareTogether(
  { account, nextSequence, signedAll }: PayingStellar,
  receivers: readonly (readonly [address: string, units: bigint])[],
  given?: { readonly sequence: bigint; readonly through: bigint },
  currency = coin,
) {
  const next = await nextSequence();
  const { sequence, through } = given ?? {
    sequence: next,
    through: next + BigInt(receivers.length) - 1n,
  };
  const payments = receivers.map(([address, units]) => ({
    destination: named(address),
    amount: { units, currency },
  }));
  const numbers = Number(through - sequence) + 1;
  const [outcome] = await present(account().batching, "batches").draftEach(
    hot,
    [{ payments, feeTarget: null, numbers }],
    { timesHigh: 2n },
    signal,
  );
  if (outcome?.kind !== "draft") throw new Error(JSON.stringify(outcome?.kind));
  const draft = outcome.withSequence(sequence, through);
  return { sequence, draft, ...signedAll(draft, payments) };
}

/** The node, as if the issuer had taken its permission from the account's trust lines. */
export function frozen(node: StellarNode, address: string): StellarNode {
  return {
    ...node,
    consult: (work, aborted) =>
      node.consult(
        (ask) =>
          work(async (question) => {
            const answer = await ask(question);
            const lines = (answer as { readonly entries?: readonly (LedgerEntryData | null)[] })
              .entries;
            for (const entry of lines ?? [])
              if (
                entry?.type === "trustline" &&
                addressOfKey(entry.trustLine.accountId.ed25519.value) === address
              )
                Object.assign(entry.trustLine, { flags: 0 });
            return answer;
          }),
        aborted,
      ),
  };
}
