import { Malformed, readFields } from "../rpc/answer.ts";
import { readLovelace, readNumber, readUnits } from "./answer.ts";
import type { CardanoLink } from "./cardano-node.ts";

/** The protocol parameters that decide about our transactions; the chain votes on them. */
export type CardanoParameters = {
  /** In lovelace: of each byte of a transaction, and beside. */
  readonly feePerByte: bigint;
  readonly feeConstant: bigint;
  /** In lovelace: of each byte of an output that is kept. */
  readonly coinsPerByte: bigint;
  readonly transactionBytesMax: number;
  /** Of an output's amount with its tokens. */
  readonly valueBytesMax: number;
  /** Fee for scripts that spent outputs carry: each `range` bytes cost `multiplier` times as much as the ones before. */
  readonly scriptFee: {
    readonly base: number;
    readonly range: number;
    readonly multiplier: number;
  };
};

export async function readParameters(link: CardanoLink): Promise<CardanoParameters> {
  return await link.ogmios("queryLedgerState/protocolParameters", {}, (result) => {
    const fields = readFields(result);
    const scripts = fields["minFeeReferenceScripts"];
    return {
      feePerByte: readUnits(fields["minFeeCoefficient"]),
      feeConstant: readLovelace(fields["minFeeConstant"]),
      coinsPerByte: readUnits(fields["minUtxoDepositCoefficient"]),
      transactionBytesMax: readBytes(fields["maxTransactionSize"]),
      valueBytesMax: readBytes(fields["maxValueSize"]),
      scriptFee:
        scripts === undefined ? { base: 0, range: 1, multiplier: 1 } : readScriptFee(scripts),
    };
  });
}

function readBytes(value: unknown): number {
  return readNumber(readFields(value)["bytes"]);
}

function readScriptFee(value: unknown): CardanoParameters["scriptFee"] {
  const fields = readFields(value);
  const [base, range, multiplier] = ["base", "range", "multiplier"].map((name) =>
    Number(fields[name]),
  );
  if (base === undefined || range === undefined || multiplier === undefined)
    throw new Malformed("no fee of scripts");
  if (!(base >= 0) || !(range >= 1) || !(multiplier >= 1)) throw new Malformed("no fee of scripts");
  return { base, range, multiplier };
}

/** The fee for the scripts of spent outputs, rounded up, in lovelace. */
export function scriptFeeOf({ scriptFee }: CardanoParameters, bytes: number): bigint {
  const { base, multiplier, range } = scriptFee;
  let fee = 0;
  let price = base;
  for (let left = bytes; left > 0; left -= range, price *= multiplier)
    fee += Math.min(left, range) * price;
  return BigInt(Math.ceil(fee));
}
