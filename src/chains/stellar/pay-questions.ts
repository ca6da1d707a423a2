import { TransactionResult } from "@stellar/stellar-sdk/xdr";
import { Malformed, readFields, readText } from "../rpc/answer.ts";
import { readXdr } from "./answer.ts";
import type { StellarQuestion } from "./stellar-node.ts";

/*
 * Requests that paying needs beyond those of the reader.
 */

/** What recent transactions offered for each operation, in stroops: the median, the seventieth and the last percentile. */
export type Fees = { readonly low: bigint; readonly medium: bigint; readonly high: bigint };

/** The network takes no less. */
const baseFee = 100n;

export const currentFees: StellarQuestion<Fees> = {
  method: "getFeeStats",
  read: (result) => {
    const { p50, p70, p99 } = readFields(readFields(result)["inclusionFee"]);
    const low = readFee(p50);
    const medium = maxOf(low, readFee(p70));
    return { low, medium, high: maxOf(medium, readFee(p99)) };
  },
};

/** When the newest ledger closed, in seconds since 1970; the answer to any question about a transaction says it. */
export const networkSeconds: StellarQuestion<number> = {
  method: "getTransaction",
  params: { hash: "00".repeat(32), xdrFormat: "base64" },
  read: (result) => {
    const text = readText(readFields(result)["latestLedgerCloseTime"]);
    if (!/^\d{1,12}$/.test(text)) throw new Malformed("no time");
    return Number(text);
  },
};

function readFee(value: unknown): bigint {
  const text = readText(value);
  if (!/^\d{1,12}$/.test(text)) throw new Malformed("no fee");
  return maxOf(baseFee, BigInt(text));
}

function maxOf(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

/** What a node did with a transaction; `code` names why it refused it: `txBadSeq`. */
export type Submission = {
  readonly status: "PENDING" | "DUPLICATE" | "TRY_AGAIN_LATER" | "ERROR";
  readonly code: string | null;
};

export function submissionOf(raw: Uint8Array): StellarQuestion<Submission> {
  return {
    method: "sendTransaction",
    params: { transaction: Buffer.from(raw).toString("base64"), xdrFormat: "base64" },
    read: (result) => {
      const { status, errorResultXdr } = readFields(result);
      if (status === "PENDING" || status === "DUPLICATE" || status === "TRY_AGAIN_LATER")
        return { status, code: null };
      if (status !== "ERROR") throw new Malformed("an unknown status");
      const read = readXdr((text) => TransactionResult.fromXdr(text, "base64"), errorResultXdr);
      return { status, code: read.result.type };
    },
  };
}
