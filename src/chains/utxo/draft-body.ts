import type { AddressTypeName, UtxoNetwork } from "../../currencies/utxo-facts.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { Coin } from "../paying-port.ts";
import { readFields, readInteger, readList, readText } from "./answer.ts";
import type { Consensus } from "./consensus.ts";
import { payeeOfAddress, scriptOfPayee } from "./output-script.ts";
import type { SpendableCoin } from "./plan-spend.ts";

/*
 * The JSON of a draft, which the signer parses with its own code:
 *
 *   {
 *     "version": 1,
 *     "inputs": [{ "txid", "vout", "units", "addressType", "branch", "keyIndex" }],
 *     "outputs": [{ "address", "units", "change": null | { "addressType", "keyIndex" } }],
 *     "previous": { "<txid>": "<the transaction without witnesses, hex>" },
 *     "consensus": { "branchId", "expiryHeight" }
 *   }
 *
 * Everything else is fixed per chain: transaction version 2, lock time 0, every sequence 0xfffffffd (BIP-125) or, where nodes
 * replace nothing, 0xffffffff, SIGHASH_ALL, inputs and outputs in the order given here. Only transactions of version 5 (ZIP-225)
 * have the member `consensus`.
 */

const bodyVersion = 1;

/** An output of a draft. `change` names the change address that it pays; null for a payment. */
export type DraftOutput = {
  readonly address: string;
  readonly script: string;
  readonly units: bigint;
  readonly change: { readonly addressType: AddressTypeName; readonly keyIndex: number } | null;
};

export type DraftBody = {
  readonly coins: readonly SpendableCoin[];
  readonly outputs: readonly DraftOutput[];
  /** Null where transactions state no rules. */
  readonly consensus: Consensus | null;
};

/** The draft as the signer reads it, with the transactions that created the coins (hex by id), which prove the coins' amounts. */
export function writeBody(
  { coins, consensus, outputs }: DraftBody,
  previous: ReadonlyMap<string, string>,
): JsonObject {
  return {
    version: bodyVersion,
    ...(consensus === null ? {} : { consensus: { ...consensus } }),
    inputs: coins.map(({ claim, units, addressType, branch, keyIndex }) => {
      const { txid, vout } = outpointOf(claim);
      return { txid, vout, units: units.toString(), addressType, branch, keyIndex };
    }),
    outputs: outputs.map(({ address, units, change }) => ({
      address,
      units: units.toString(),
      change: change === null ? null : { ...change },
    })),
    previous: Object.fromEntries(previous),
  };
}

/** Parses what `writeBody` wrote; throws `InvariantViolation` for anything else. */
export function readBody(network: UtxoNetwork, body: JsonObject): DraftBody {
  try {
    assert(body["version"] === bodyVersion, "a version of draft that this program writes");
    return {
      coins: readList(body["inputs"]).map((value) => {
        const input = readFields(value);
        const branch = readInteger(input["branch"]);
        assert(branch === 0 || branch === 1, "a branch of BIP-44");
        return {
          claim: `${readText(input["txid"])}:${readInteger(input["vout"])}`,
          units: BigInt(readText(input["units"])),
          addressType: addressTypeNamed(readText(input["addressType"])),
          branch,
          keyIndex: readInteger(input["keyIndex"]),
        };
      }),
      outputs: readList(body["outputs"]).map((value) => readOutput(network, value)),
      consensus: body["consensus"] === undefined ? null : consensusIn(body["consensus"]),
    };
  } catch (error) {
    // These parsers are the ones for a node's answers.
    assert(!(error instanceof Unavailable), `a draft of this chain: ${String(error)}`);
    throw error;
  }
}

function consensusIn(value: unknown): Consensus {
  const consensus = readFields(value);
  return {
    branchId: readText(consensus["branchId"]),
    expiryHeight: readInteger(consensus["expiryHeight"]),
  };
}

function readOutput(network: UtxoNetwork, value: unknown): DraftOutput {
  const output = readFields(value);
  const address = readText(output["address"]);
  const change = output["change"] === null ? null : readFields(output["change"]);
  return {
    address,
    script: scriptOfPayee(present(payeeOfAddress(network, address), "an address of this network")),
    units: BigInt(readText(output["units"])),
    change:
      change === null
        ? null
        : {
            addressType: addressTypeNamed(readText(change["addressType"])),
            keyIndex: readInteger(change["keyIndex"]),
          },
  };
}

/** Throws `InvariantViolation` for coins of a type that this family does not have. */
export function spendableCoins(coins: readonly Coin[]): readonly SpendableCoin[] {
  return coins.map((coin) => ({ ...coin, addressType: addressTypeNamed(coin.addressType) }));
}

/** The address type of that name. Throws `InvariantViolation` for any other, since the name comes from our own records. */
export function addressTypeNamed(name: string): AddressTypeName {
  switch (name) {
    case "":
    case "legacy":
    case "p2sh-segwit":
    case "bech32":
    case "bech32m":
      return name;
    default:
      assert(false, `a type of address of this family, not ${name}`);
  }
}

/** Parses a coin's claim `txid:vout`. */
export function outpointOf(claim: string): { readonly txid: string; readonly vout: number } {
  const match = /^([0-9a-f]{64}):(\d+)$/.exec(claim);
  assert(match !== null, `an outpoint, not ${claim}`);
  return { txid: match[1] ?? "", vout: Number(match[2]) };
}

/** BIP-69: by transaction id, then by position. */
export function compareCoins(a: Coin, b: Coin): number {
  const [first, second] = [outpointOf(a.claim), outpointOf(b.claim)];
  if (first.txid === second.txid) return first.vout - second.vout;
  return first.txid < second.txid ? -1 : 1;
}

/** BIP-69: by amount, then by script. */
export function compareOutputs(a: DraftOutput, b: DraftOutput): number {
  if (a.units !== b.units) return a.units < b.units ? -1 : 1;
  if (a.script === b.script) return 0;
  return a.script < b.script ? -1 : 1;
}
