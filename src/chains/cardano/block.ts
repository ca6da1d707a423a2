import { Malformed, readFields, readList, readText } from "../rpc/answer.ts";
import { readHash, readLovelace, readNumber, readUnits } from "./answer.ts";
import type { Point } from "./point.ts";

/** An asset by its policy and name in hexadecimal, `policy.name`, as Ogmios 5, Kupo and wallets spell it; `policy` for an empty name. */
export type AssetUnits = { readonly asset: string; readonly units: bigint };

export type CardanoOutput = {
  readonly index: number;
  /** As nodes write it: bech32 in lower case, or Byron's base58. */
  readonly address: string;
  readonly units: bigint;
  readonly assets: readonly AssetUnits[];
  /** Bytes of the script that the output carries, 0 without one: spending it costs a fee for them. */
  readonly scriptBytes: number;
};

/**
 * What a transaction really did. One whose script failed (phase 2) is in its block too: it spent its collateral in place of its inputs, and
 * created nothing but what is left of it.
 */
export type CardanoTransaction = {
  readonly txid: string;
  readonly hasSucceeded: boolean;
  /** Outpoints `txid:index`. */
  readonly claims: readonly string[];
  readonly outputs: readonly CardanoOutput[];
  /** Null where the node does not say how much collateral a failed transaction lost. */
  readonly feeUnits: bigint | null;
};

/** A block as a node reads it out. Its parent's slot is not part of it. */
export type CardanoBlock = {
  readonly height: number;
  readonly point: Point;
  /** The id of the block before; null for the first one. */
  readonly ancestor: string | null;
  readonly transactions: readonly CardanoTransaction[];
};

/** Reads a block of Ogmios 6, of any era from Shelley on, or one of Byron with a slot. */
export function readBlock(value: unknown): CardanoBlock {
  const block = readFields(value);
  const ancestor = block["ancestor"];
  return {
    height: readNumber(block["height"]),
    point: { slot: readNumber(block["slot"]), id: readHash(block["id"]) },
    ancestor: ancestor === "genesis" ? null : readHash(ancestor),
    transactions: readList(block["transactions"] ?? []).map(readTransaction),
  };
}

export function readTransaction(value: unknown): CardanoTransaction {
  const fields = readFields(value);
  const txid = readHash(fields["id"]);
  const outputs = readList(fields["outputs"] ?? []);
  switch (fields["spends"] ?? "inputs") {
    case "inputs":
      return {
        txid,
        hasSucceeded: true,
        claims: readList(fields["inputs"]).map(readOutpoint),
        outputs: outputs.map((output, index) => readOutput(output, index)),
        feeUnits: fields["fee"] === undefined ? null : readLovelace(fields["fee"]),
      };
    case "collaterals": {
      const left = fields["collateralReturn"];
      const lost = fields["totalCollateral"];
      return {
        txid,
        hasSucceeded: false,
        claims: readList(fields["collaterals"]).map(readOutpoint),
        // It has the index after those that the transaction would have created.
        outputs: left === undefined ? [] : [readOutput(left, outputs.length)],
        feeUnits: lost === undefined ? null : readLovelace(lost),
      };
    }
    default:
      throw new Malformed("a transaction that spends neither its inputs nor its collateral");
  }
}

export function readOutput(value: unknown, index: number): CardanoOutput {
  const output = readFields(value);
  return {
    index,
    address: readText(output["address"]),
    units: readLovelace(output["value"]),
    assets: readAssets(output["value"]),
    scriptBytes: output["script"] === undefined ? 0 : scriptBytes(output["script"]),
  };
}

/** Null: a native script whose bytes the node leaves out. Taken for as large as any transaction, so that nobody underpays. */
const unknownScriptBytes = 16_384;

function scriptBytes(value: unknown): number {
  const { cbor } = readFields(value) as { cbor?: unknown };
  return cbor === undefined ? unknownScriptBytes : Math.ceil(readText(cbor).length / 2);
}

/** `{ ada, <policy>: { <name>: quantity } }`, sorted by asset. */
function readAssets(value: unknown): readonly AssetUnits[] {
  const assets = Object.entries(readFields(value)).flatMap(([policy, names]) => {
    if (policy === "ada") return [];
    if (!/^[0-9a-f]{56}$/.test(policy)) throw new Malformed("no policy of an asset");
    return Object.entries(readFields(names)).map(([name, units]) => {
      if (!/^(?:[0-9a-f]{2}){0,32}$/.test(name)) throw new Malformed("no name of an asset");
      return { asset: name === "" ? policy : `${policy}.${name}`, units: readUnits(units) };
    });
  });
  return assets.toSorted((one, other) => (one.asset < other.asset ? -1 : 1));
}

export function readOutpoint(value: unknown): string {
  const { transaction, index } = readFields(value) as { transaction?: unknown; index?: unknown };
  return `${readHash(readFields(transaction)["id"])}:${readNumber(index)}`;
}
