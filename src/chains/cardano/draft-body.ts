import { type CardanoNetworkId, readCardanoAddress } from "../../currencies/cardano-address.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { Malformed, readFields, readList, readText } from "../rpc/answer.ts";
import { readNumber, readUnits } from "./answer.ts";
import type { AssetUnits } from "./block.ts";

/*
 * The JSON of a draft, which the signer parses with its own code:
 *
 *   {
 *     "version": 1,
 *     "feeUnits", "ttl", "until",
 *     "inputs": [{ "txid", "index", "units", "branch", "keyIndex" }],
 *     "outputs": [{ "address", "units", "assets": { "<policy.name>": "<units>" }, "change": null | { "keyIndex" } }]
 *   }
 *
 * Everything else is fixed: no scripts, certificates, withdrawals or minted tokens, the number of the network, inputs and outputs in the order
 * given here. `ttl` is the first slot whose block may not contain the transaction, and `until` its time in microseconds.
 */

const bodyVersion = 1;

export type DraftInput = {
  /** `txid:index` */
  readonly claim: string;
  readonly units: bigint;
  readonly branch: 0 | 1;
  readonly keyIndex: number;
};

/** `change` names the change address that the output pays; null for a payment. Only change holds tokens. */
export type DraftOutput = {
  readonly address: string;
  readonly addressBytes: number;
  readonly units: bigint;
  readonly assets: readonly AssetUnits[];
  readonly change: { readonly keyIndex: number } | null;
};

export type DraftBody = {
  readonly inputs: readonly DraftInput[];
  readonly outputs: readonly DraftOutput[];
  readonly feeUnits: bigint;
  readonly ttl: number;
  /** Microseconds since 1970. */
  readonly until: number;
};

export function writeBody({ feeUnits, inputs, outputs, ttl, until }: DraftBody): JsonObject {
  return {
    version: bodyVersion,
    feeUnits: feeUnits.toString(),
    ttl,
    until,
    inputs: inputs.map(({ branch, claim, keyIndex, units }) => {
      const [txid = "", index = ""] = claim.split(":");
      return { txid, index: Number(index), units: units.toString(), branch, keyIndex };
    }),
    outputs: outputs.map(({ address, assets, change, units }) => ({
      address,
      units: units.toString(),
      assets: Object.fromEntries(
        assets.map(({ asset, units: quantity }) => [asset, quantity.toString()]),
      ),
      change: change === null ? null : { ...change },
    })),
  };
}

/** Parses what `writeBody` wrote; throws `InvariantViolation` for anything else. */
export function readBody(network: CardanoNetworkId, body: JsonObject): DraftBody {
  try {
    assert(body["version"] === bodyVersion, "a version of draft that this program writes");
    return {
      feeUnits: readUnits(body["feeUnits"]),
      ttl: readNumber(body["ttl"]),
      until: readNumber(body["until"]),
      inputs: readList(body["inputs"]).map(readInput),
      outputs: readList(body["outputs"]).map((value) => readOutput(network, value)),
    };
  } catch (error) {
    assert(!(error instanceof Malformed), `a draft of this chain: ${String(error)}`);
    throw error;
  }
}

function readInput(value: unknown): DraftInput {
  const input = readFields(value);
  const branch = readNumber(input["branch"]);
  assert(branch === 0 || branch === 1, "a role of CIP-1852");
  return {
    claim: `${readText(input["txid"])}:${readNumber(input["index"])}`,
    units: readUnits(input["units"]),
    branch,
    keyIndex: readNumber(input["keyIndex"]),
  };
}

function readOutput(network: CardanoNetworkId, value: unknown): DraftOutput {
  const output = readFields(value);
  const address = readText(output["address"]);
  const change = output["change"] === null ? null : readFields(output["change"]);
  return {
    address,
    addressBytes: bytesOfAddress(network, address),
    units: readUnits(output["units"]),
    assets: Object.entries(readFields(output["assets"])).map(([asset, units]) => ({
      asset,
      units: readUnits(units),
    })),
    change: change === null ? null : { keyIndex: readNumber(change["keyIndex"]) },
  };
}

export function bytesOfAddress(network: CardanoNetworkId, address: string): number {
  return present(readCardanoAddress(address, network), "an address of this network").bytes.length;
}
