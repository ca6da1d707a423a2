import { type Fields, Malformed, readFields, readList } from "../rpc/answer.ts";
import { readAddress, readCount, readHash, readQuantity } from "./answer.ts";

/*
 * Ether that contracts moved while a transaction ran, from the two kinds of traces that nodes offer. Both yield the same moves in
 * order of execution, each call before its subcalls. Counted: CALL, CREATE, CREATE2 and self-destruct payouts with value. Not
 * counted: DELEGATECALL, CALLCODE and STATICCALL (their value does not move), failed frames with everything inside them, and
 * moves to oneself. Moves to precompiles are left out because only some tracers show calls to them, and a move's ordinal must not
 * depend on the node.
 */

export type InternalTransfer = {
  readonly from: string;
  readonly to: string;
  readonly units: bigint;
};

const precompilesBelow = 0x10000n;
const callTypes = new Set(["CALL", "CREATE", "CREATE2", "SELFDESTRUCT", "SUICIDE"]);

/** Whether the value counts as moved. */
export function isMove(frame: InternalTransfer): boolean {
  return frame.units > 0n && frame.from !== frame.to && BigInt(frame.to) >= precompilesBelow;
}

/**
 * Parses one entry of `debug_traceBlockByHash` with the `callTracer`: the moves below the transaction's own frame. Throws
 * `Malformed`.
 */
export function movesOfCallTrace(root: unknown): readonly InternalTransfer[] {
  const moves: InternalTransfer[] = [];
  const walk = (fields: Fields): void => {
    for (const item of readList(fields["calls"] ?? [])) {
      const inner = readFields(item);
      if (hasFailed(inner)) continue;
      const move = frameOfCallTrace(inner);
      if (move !== null && isMove(move)) moves.push(move);
      walk(inner);
    }
  };
  const fields = readFields(root);
  const { type } = fields as { type?: unknown };
  if (typeof type !== "string") throw new Malformed("a transaction's call without a type");
  readAddress(fields["from"]);
  if (!hasFailed(fields)) walk(fields);
  return moves;
}

function frameOfCallTrace(fields: Fields): InternalTransfer | null {
  const { type, value } = fields as { type?: unknown; value?: unknown };
  if (typeof type !== "string") throw new Malformed("a call without a type");
  if (!callTypes.has(type.toUpperCase()) || value === undefined || value === null) return null;
  return {
    from: readAddress(fields["from"]),
    to: readAddress(fields["to"]),
    units: readQuantity(value),
  };
}

function hasFailed(fields: Fields): boolean {
  const { error } = fields as { error?: unknown };
  return typeof error === "string" && error !== "";
}

/**
 * Parses the answer to `trace_block`: the moves below each transaction's own frame, by transaction id. Every transaction of the
 * block has an entry. Throws `Malformed`, also for another block's traces.
 */
export function movesOfTraceBlock(
  entries: readonly unknown[],
  blockHash: string,
): ReadonlyMap<string, readonly InternalTransfer[]> {
  const byTransaction = Map.groupBy(entries.map(readFields), (fields) => {
    if (readHash(fields["blockHash"]) !== blockHash) throw new Malformed("traces of another block");
    const { transactionHash } = fields as { transactionHash?: unknown };
    // Block rewards belong to no transaction.
    return transactionHash === null || transactionHash === undefined
      ? null
      : readHash(transactionHash);
  });
  const moves = new Map<string, readonly InternalTransfer[]>();
  for (const [txid, frames] of byTransaction)
    if (txid !== null) moves.set(txid, movesOfFlat(frames));
  return moves;
}

function movesOfFlat(entries: readonly Fields[]): readonly InternalTransfer[] {
  const frames = entries
    .map((fields) => ({ fields, path: readList(fields["traceAddress"]).map(readPathStep) }))
    .toSorted((a, b) => comparePaths(a.path, b.path));
  const moves: InternalTransfer[] = [];
  let failedPath: readonly number[] | null = null;
  for (const { fields, path } of frames) {
    if (failedPath !== null && startsWith(path, failedPath)) continue;
    failedPath = hasFailed(fields) ? path : null;
    if (failedPath !== null || path.length === 0) continue;
    const move = frameOfFlat(fields);
    if (move !== null && isMove(move)) moves.push(move);
  }
  return moves;
}

function frameOfFlat(fields: Fields): InternalTransfer | null {
  const { type } = fields as { type?: unknown };
  const action = readFields(fields["action"]);
  switch (type) {
    case "call":
      if (action["callType"] !== "call") return null;
      return {
        from: readAddress(action["from"]),
        to: readAddress(action["to"]),
        units: readQuantity(action["value"]),
      };
    case "create":
      return {
        from: readAddress(action["from"]),
        to: readAddress(readFields(fields["result"])["address"]),
        units: readQuantity(action["value"]),
      };
    case "suicide":
    case "selfdestruct":
      return {
        from: readAddress(action["address"]),
        to: readAddress(action["refundAddress"]),
        units: readQuantity(action["balance"]),
      };
    default:
      throw new Malformed("a trace of unknown type");
  }
}

function readPathStep(value: unknown): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  return readCount(value);
}

/** Depth first: a frame before those inside it, siblings in order. */
function comparePaths(a: readonly number[], b: readonly number[]): number {
  const shared = Math.min(a.length, b.length);
  for (let depth = 0; depth < shared; depth += 1) {
    const difference = (a[depth] ?? 0) - (b[depth] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function startsWith(path: readonly number[], prefix: readonly number[]): boolean {
  return path.length >= prefix.length && prefix.every((step, depth) => step === path[depth]);
}
