import type { BlockRef } from "../port.ts";
import { Malformed, readFields, readList } from "../rpc/answer.ts";
import { readCount, readData, readHeader, readQuantity } from "./answer.ts";
import { type FeeHistory, historyBlocks, tipPercentiles } from "./estimate-fees.ts";
import type { Question } from "./evm-node.ts";
import { toQuantity } from "./questions.ts";

/** A transaction's effect, without its sender and fees. */
export type Call = { readonly to: string; readonly value: bigint; readonly data: string };

/** The newest block, its base fee (null on a chain without one), and the gas that its transactions may have together. */
export type FeeHeader = {
  readonly block: BlockRef;
  readonly baseFee: bigint | null;
  readonly gasLimit: bigint;
};

export const latestFeeHeader: Question<FeeHeader> = {
  method: "eth_getBlockByNumber",
  params: ["latest", false],
  read: (result) => {
    const block = readHeader(result);
    if (block === null) throw new Malformed("no latest block");
    const { baseFeePerGas: baseFee, gasLimit } = readFields(result) as Record<string, unknown>;
    return {
      block,
      baseFee: baseFee === undefined || baseFee === null ? null : readQuantity(baseFee),
      gasLimit: readQuantity(gasLimit),
    };
  },
};

/** Up to that block, by number, since the method takes no hash. */
export function feeHistoryUpTo(height: number): Question<FeeHistory> {
  return {
    method: "eth_feeHistory",
    params: [toQuantity(historyBlocks), toQuantity(height), tipPercentiles],
    read: readFeeHistory,
  };
}

/** Throws `Malformed` unless each block has a base fee and, where tips are reported, one per percentile. */
export function readFeeHistory(result: unknown): FeeHistory {
  const fields = readFields(result);
  const baseFees = readList(fields["baseFeePerGas"]).map(readQuantity);
  const { reward } = fields as { reward?: unknown };
  const rows = reward === undefined || reward === null ? [] : readList(reward);
  // Some nodes return an empty list where they know of no tips.
  const tips = rows.map((row) => readList(row).map(readQuantity)).filter((row) => row.length > 0);
  if (baseFees.length === 0) throw new Malformed("a fee history of no block");
  if (tips.some((row) => row.length !== tipPercentiles.length))
    throw new Malformed("a fee history of other percentiles");
  return { baseFees, tips };
}

export const gasPriceOf: Question<bigint> = {
  method: "eth_gasPrice",
  params: [],
  read: readQuantity,
};

/** The tip that the node suggests now. */
export const suggestedTip: Question<bigint> = {
  method: "eth_maxPriorityFeePerGas",
  params: [],
  read: readQuantity,
};

/** The code at an address; `0x` where there is none. */
export function codeAt(address: string): Question<string> {
  return { method: "eth_getCode", params: [address, "latest"], read: readData };
}

/** The gas that the call would use now; refused when it would revert. */
export function gasFor(from: string, call: Call): Question<number> {
  return {
    method: "eth_estimateGas",
    params: [toTransaction(from, call), "latest"],
    read: readCount,
  };
}

/** The result that the call would return; refused when it would revert. */
export function resultOf(from: string, call: Call): Question<string> {
  return {
    method: "eth_call",
    params: [toTransaction(from, call), "latest"],
    read: readData,
  };
}

function toTransaction(from: string, { to, value, data }: Call): Readonly<Record<string, string>> {
  return { from, to, value: `0x${value.toString(16)}`, data };
}
