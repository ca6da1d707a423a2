import type { BlockRef } from "../port.ts";
import { Malformed, readFields, readList } from "../rpc/answer.ts";
import { type EvmTransaction, readHash } from "./answer.ts";
import type { Question, Refusal } from "./evm-node.ts";
import {
  type InternalTransfer,
  movesOfCallTrace,
  movesOfTraceBlock,
} from "./internal-transfers.ts";
import { toQuantity } from "./questions.ts";

/** The ways to request traces, in the order tried: Erigon, Nethermind, Reth and Anvil support the first, Geth the second. */
export const traceMethods = ["trace_block", "debug_traceBlockByHash"] as const;
export type TraceMethod = (typeof traceMethods)[number];

type Moves = ReadonlyMap<string, readonly InternalTransfer[]>;

/** `refused`: the tracer returned its own error as an answer. */
export type TraceAnswer =
  | { readonly kind: "moves"; readonly moves: Moves }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/** The moves of all these transactions of the block. `all`: the ids of everything in it, in order; null if they are not known. */
export function traceOfBlock(
  way: TraceMethod,
  block: BlockRef,
  transactions: readonly EvmTransaction[],
  all: readonly string[] | null,
): Question<TraceAnswer> {
  const txids = transactions.map(({ txid }) => txid);
  if (way === "trace_block")
    return {
      method: way,
      params: [toQuantity(block.height)],
      read: (result) => readFlatTraces(readList(result ?? []), block, txids),
    };
  return {
    method: way,
    params: [block.hash, { tracer: "callTracer" }],
    read: (result) => readCallTraces(readList(result), txids, all),
  };
}

/** The moves of one transaction alone. */
export function traceOfTransaction(
  way: TraceMethod,
  block: BlockRef,
  txid: string,
): Question<TraceAnswer> {
  if (way === "trace_block")
    return {
      method: "trace_transaction",
      params: [txid],
      read: (result) => readFlatTraces(readList(result ?? []), block, [txid]),
    };
  return {
    method: "debug_traceTransaction",
    params: [txid, { tracer: "callTracer" }],
    read: (result) => ({ kind: "moves", moves: new Map([[txid, movesOfCallTrace(result)]]) }),
  };
}

function readFlatTraces(
  entries: readonly unknown[],
  block: BlockRef,
  txids: readonly string[],
): TraceAnswer {
  const moves = movesOfTraceBlock(entries, block.hash);
  assertComplete(moves, txids);
  return { kind: "moves", moves };
}

/** One entry for each of the block's transactions, in order. Those of others than `txids` are not looked at. */
function readCallTraces(
  entries: readonly unknown[],
  txids: readonly string[],
  all: readonly string[] | null,
): TraceAnswer {
  const moves = new Map<string, readonly InternalTransfer[]>();
  const needed = new Set(txids);
  for (const [position, entry] of entries.entries()) {
    const { error, result, txHash } = readFields(entry) as Record<string, unknown>;
    // Geth names the transaction only since 1.11; earlier versions rely on the order.
    if (txHash === undefined && all !== null && entries.length !== all.length)
      throw new Malformed(`traces of ${entries.length} of ${all.length} transactions`);
    const txid = txHash === undefined ? all?.[position] : readHash(txHash);
    if (txid === undefined || !needed.has(txid)) continue;
    if (typeof error === "string" && error !== "")
      return { kind: "refused", refusal: { code: 0, message: error } };
    moves.set(txid, movesOfCallTrace(result));
  }
  assertComplete(moves, txids);
  return { kind: "moves", moves };
}

/** An incomplete answer must not look like a transaction without moves. */
function assertComplete(moves: Moves, txids: readonly string[]): void {
  const missing = txids.find((txid) => !moves.has(txid));
  if (missing !== undefined) throw new Malformed(`no trace of transaction ${missing}`);
}
