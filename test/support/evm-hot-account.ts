import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import type { ChainAdapter } from "../../src/chains/chain-adapter.ts";
import type { Draft, DraftRequest, Payment } from "../../src/chains/paying-port.ts";
import type { DerivedAddressing } from "../../src/chains/port.ts";
import { type Currency, chainAsset } from "../../src/currencies/currency.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { type CurrencyId, money } from "../../src/platform/kernel/money.ts";
import type { KeyRing } from "../../src/signer/draft-signer.ts";
import { createEvmDraftSigner } from "../../src/signer/evm/draft-signer.ts";
import type { SpendIntent } from "../../src/signer/intent.ts";
import { type PrivateEvm, signal } from "./private-evm.ts";

/* The hot account of a private chain: the adapter's writer drafts, the signer's own code signs, the node gets the transaction. */

/** The keys of the developers' mnemonic, whose account 0 Anvil funds; the hot account is another branch. */
const seed = mnemonicToSeedSync("test test test test test test test test test test test junk");
const developerKeys: KeyRing = { at: (path) => HDKey.fromMasterSeed(seed).derive(path) };

const ether = 10n ** 18n;

export type Signed = { readonly txid: string; readonly raw: Uint8Array; readonly draft: Draft };

export type HotAccount = {
  readonly address: string;
  readonly writer: NonNullable<ChainAdapter["writer"]>;
  readonly nextNonce: () => Promise<number>;
  readonly request: (
    payments: readonly Payment[],
    how?: Partial<DraftRequest> & { readonly nonce?: number },
  ) => Promise<DraftRequest>;
  /** Fails without a draft. */
  readonly draft: (request: DraftRequest) => Promise<Draft>;
  /** As the signer is asked to: fails when it refuses. */
  readonly sign: (draft: Draft, payments: readonly Payment[]) => Signed;
  /** All of these steps; the transaction stays unconfirmed. */
  readonly pay: (payment: Payment) => Promise<Signed>;
  /** Coin balance at the newest block. */
  readonly coinUnits: (address?: string) => Promise<bigint>;
};

/** An amount of a currency to an address. */
export function payment(address: string, currency: CurrencyId, units: bigint): Payment {
  return {
    destination: { address, addressType: null, tag: null },
    amount: money(units, currency),
  };
}

/** Gives the hot account ether and tokens, mined. */
export async function fundHotAccount(evm: PrivateEvm, address: string): Promise<void> {
  await evm.send({ to: address, value: 100n * ether });
  for (const [contract, name] of [
    [evm.contracts.usdc, "DollarLike"],
    [evm.contracts.usdt, "TetherLike"],
  ] as const)
    await evm.send({ to: contract, call: [name, "transfer", address, 10n ** 12n] });
  await evm.mine();
}

export function openHotAccount(
  evm: PrivateEvm,
  adapter: ChainAdapter<DerivedAddressing>,
  currencies: readonly Currency[],
): HotAccount {
  const writer = present(adapter.writer, "a chain that pays");
  const account = present(writer.account, "a chain of accounts");
  const { address } = present(adapter.addressing.treasury, "the hot account").hot;
  const signer = createEvmDraftSigner({
    chain: adapter.chain,
    chainId: evm.anvil.chainId,
    coldAddress: null,
  });
  const nextSequence = present(account.nextSequence, "sequence numbers");
  const nextNonce = async (): Promise<number> => Number(await nextSequence(address, signal));

  const request: HotAccount["request"] = async (payments, { nonce, ...how } = {}) => ({
    payments,
    funds: { kind: "account", address, sequence: BigInt(nonce ?? (await nextNonce())) },
    feeTarget: null,
    feeCeiling: ether,
    replaces: null,
    ...how,
  });

  const draft: HotAccount["draft"] = async (request) => {
    const outcome = await writer.draft(request, signal);
    if (outcome.kind !== "draft") throw new Error(`no draft: ${JSON.stringify(outcome, textual)}`);
    return outcome.draft;
  };

  const sign: HotAccount["sign"] = (drafted, payments) => {
    const intent = intentOf(adapter.chain, currencies, payments);
    const inspected = signer.inspect(drafted.body, intent, developerKeys);
    if (JSON.stringify(inspected.claims) !== JSON.stringify(drafted.claims))
      throw new Error("the draft claims something else than the signer reads");
    return { ...signer.sign(drafted.body, developerKeys), draft: drafted };
  };

  return {
    address,
    writer,
    nextNonce,
    request,
    draft,
    sign,
    pay: async (one) => {
      const signed = sign(await draft(await request([one])), [one]);
      const outcome = await writer.broadcast(signed.raw, signal);
      if (outcome.kind !== "accepted") throw new Error(`not accepted: ${JSON.stringify(outcome)}`);
      return signed;
    },
    coinUnits: async (of = address) =>
      BigInt(await evm.rpc.call<string>("eth_getBalance", [of, "latest"], signal)),
  };
}

function intentOf(
  chain: string,
  currencies: readonly Currency[],
  payments: readonly Payment[],
): SpendIntent {
  const common = { spendId: "1", chain, feeCeiling: ether.toString() };
  if (payments.length === 0) return { ...common, kind: "gap" };
  const payouts = payments.map(({ destination, amount }) => {
    const currency = currencies.find(({ id }) => id === amount.currency);
    const asset = chainAsset(present(currency, "a currency of the chain"));
    return {
      payoutId: "1",
      chain,
      address: destination.address,
      tag: null,
      currency: amount.currency,
      asset,
      units: amount.units.toString(),
      approval: "",
    };
  });
  return { ...common, kind: "payout", payouts };
}

function textual(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}
