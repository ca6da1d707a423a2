import { HDKey } from "@scure/bip32";
import { expect } from "vitest";
import type { ChainAdapter } from "../../src/chains/chain-adapter.ts";
import type {
  ChainWriter,
  Coin,
  Draft,
  DraftOutcome,
  DraftRequest,
  Funds,
  Payment,
} from "../../src/chains/paying-port.ts";
import type { DerivedAddressing, Destination } from "../../src/chains/port.ts";
import type { AddressTypeName } from "../../src/currencies/utxo-facts.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { parseDecimal } from "../../src/platform/kernel/decimal.ts";
import { money } from "../../src/platform/kernel/money.ts";
import { mineBlocks, payFromFaucet } from "../../src/sandbox/drive-utxo-node.ts";
import type { UtxoNode } from "../../src/sandbox/utxo-node.ts";
import type { KeyRing } from "../../src/signer/draft-signer.ts";
import type { SpendIntent } from "../../src/signer/intent.ts";
import { createUtxoDraftSigner } from "../../src/signer/utxo/draft-signer.ts";
import { signedUtxoNetwork } from "./known-chains.ts";
import { type Coin as NodeCoin, type TestNode, testSeed } from "./utxo-node.ts";

const never = new AbortController().signal;

/** The keys of `openAdapter`'s addresses. */
const testKeys: KeyRing = { at: (path) => HDKey.fromMasterSeed(testSeed).derive(path) };

export type SignedSpend = { readonly txid: string; readonly raw: Uint8Array };

/** Coins of ours on a private node, and the way from a draft to signed bytes. */
export type UtxoPayer = {
  readonly writer: ChainWriter;
  /** Pays each to a deposit address of its own, in one transaction that is in a block when it resolves. */
  readonly coins: (
    requested: readonly { readonly addressType: AddressTypeName; readonly units: bigint }[],
  ) => Promise<readonly Coin[]>;
  /** With an unused change address. */
  readonly funds: (coins: readonly Coin[]) => Extract<Funds, { kind: "coins" }>;
  readonly payment: (destination: Destination, units: bigint) => Payment;
  readonly outcome: (
    request: Partial<DraftRequest> & Pick<DraftRequest, "payments" | "funds">,
  ) => Promise<DraftOutcome>;
  /** The same, when a draft is expected. */
  readonly draft: (
    request: Partial<DraftRequest> & Pick<DraftRequest, "payments" | "funds">,
  ) => Promise<Draft>;
  /** Has the signer inspect the draft for these payments (none: a consolidation) and sign it. */
  readonly sign: (draft: Draft, payments: readonly Payment[]) => SignedSpend;
  /** Signs and broadcasts it, and expects the node not to know it yet. */
  readonly send: (draft: Draft, payments: readonly Payment[]) => Promise<SignedSpend>;
};

let lastIndex = 10_000;

export function createUtxoPayer(
  { chain }: NodeCoin,
  running: TestNode,
  adapter: ChainAdapter<DerivedAddressing>,
): UtxoPayer {
  const writer = present(adapter.writer, "an adapter that pays");
  const signer = createUtxoDraftSigner({
    chain: chain.chain,
    network: signedUtxoNetwork(chain.chain, "regtest"),
    coldAddress: null,
  });
  const outcome: UtxoPayer["outcome"] = (request) =>
    writer.draft({ feeTarget: null, feeCeiling: 10_000_000n, replaces: null, ...request }, never);
  const sign: UtxoPayer["sign"] = (draft, payments) => {
    const intent = intentOf(chain.chain, payments, 10_000_000n);
    expect(signer.inspect(draft.body, intent, testKeys)).toEqual({
      claims: draft.claims,
      feeUnits: draft.feeUnits,
      ...(draft.validity === null ? {} : { validity: draft.validity }),
    });
    return signer.sign(draft.body, testKeys);
  };
  return {
    writer,
    coins: async (requested) => {
      const owned = requested.map(({ addressType, units }) => {
        lastIndex += 1;
        const { address } = adapter.addressing.depositAt(lastIndex, addressType);
        return { address, addressType, units, keyIndex: lastIndex };
      });
      const txid = await payFromFaucet(running.node, owned);
      await mineBlocks(running.node, 1);
      const content = await adapter.reader.readBlock(await adapter.reader.tip(never), never);
      return owned.map(({ address, addressType, keyIndex, units }) => {
        const key = adapter.addressing.watchKey({ address, addressType, tag: null });
        const transfer = content?.transfers.find(({ to }) => to === key);
        const { index } = present(transfer, "the payment").key;
        return { claim: `${txid}:${index}`, units, addressType, branch: 0 as const, keyIndex };
      });
    },
    funds: (coins) => {
      lastIndex += 1;
      const { address, addressType } = present(adapter.addressing.changeAt, "change")(lastIndex);
      const change = { address, addressType: addressType ?? "", keyIndex: lastIndex };
      return { kind: "coins", coins, change };
    },
    payment: (destination, units) => ({ destination, amount: money(units, chain.currency) }),
    outcome,
    draft: async (request) => {
      const created = await outcome(request);
      if (created.kind !== "draft")
        throw new Error(`no draft: ${JSON.stringify(created, spellUnits)}`);
      return created.draft;
    },
    sign,
    send: async (draft, payments) => {
      const signed = sign(draft, payments);
      expect(await writer.broadcast(signed.raw, never)).toEqual({ kind: "accepted" });
      return signed;
    },
  };
}

/** Without payments: a consolidation. */
function intentOf(chain: string, payments: readonly Payment[], feeCeiling: bigint): SpendIntent {
  const common = { spendId: "1", chain, feeCeiling: feeCeiling.toString() };
  if (payments.length === 0) return { ...common, kind: "consolidation" };
  const payouts = payments.map(({ amount, destination }, index) => ({
    payoutId: String(index + 1),
    chain,
    address: destination.address,
    tag: null,
    currency: amount.currency,
    asset: { kind: "coin" as const },
    units: amount.units.toString(),
    approval: "",
  }));
  return { ...common, kind: "payout", payouts };
}

/** Inputs minus outputs of a mined transaction, by the node's index. */
export async function burntFee(node: UtxoNode, txid: string): Promise<bigint> {
  type Outputs = { readonly vout: readonly { readonly value: unknown }[] };
  type Inputs = { readonly vin: readonly { readonly txid: string; readonly vout: number }[] };
  const { vin, vout } = await node.command<Inputs & Outputs>("getrawtransaction", [txid, 1]);
  let fee = vout.reduce((rest, { value }) => rest - unitsOf(value), 0n);
  for (const input of vin) {
    const parent = await node.command<Outputs>("getrawtransaction", [input.txid, 1]);
    fee += unitsOf(parent.vout[input.vout]?.value);
  }
  return fee;
}

function unitsOf(value: unknown): bigint {
  const parsed = parseDecimal(String(value), 8);
  if (parsed.kind !== "units") throw new Error(`no amount: ${String(value)}`);
  return parsed.units;
}

function spellUnits(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}
