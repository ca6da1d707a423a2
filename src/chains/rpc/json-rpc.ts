import { present } from "../../platform/kernel/assert.ts";
import { decodeReplies, decodeReply, type RpcAnswer, type RpcCall } from "./decode-reply.ts";
import type { NodeClient } from "./failover.ts";
import {
  createHttpNodes,
  defaultConnections,
  type HttpNodes,
  type HttpNodesOptions,
  type NodeLink,
} from "./http-nodes.ts";
import { NodeFault, RpcError } from "./node-error.ts";

export type JsonRpcOptions = Omit<HttpNodesOptions, "verify"> & {
  /** See `HttpNodesOptions`; asks the node that is verified. */
  readonly verify?: (ask: Ask) => Promise<void>;
  /** Maximum calls per HTTP request, 100 by default; more are split and sent in parallel, one part per connection. */
  readonly batchMax?: number;
};

export type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>;

export type CallOptions = {
  /** Overrides the client's, for long polls. */
  readonly timeoutMs?: number;
  /** Reads the result; a `NodeFault` that it throws counts as the node's failure, and another node is asked. */
  readonly accept?: (result: unknown) => void;
};

/**
 * JSON-RPC 1.0 and 2.0 over HTTP, over several equal nodes. Numbers that a double cannot hold arrive as strings, see
 * `parseJson`. Rejects with `RpcError` when the node answers with an error and with `Unavailable` when none answers or
 * `signal` aborts.
 */
export type JsonRpc = NodeClient & {
  /** For idempotent calls: transport faults, overload and a node's start-up are retried. */
  readonly call: <Result>(
    method: string,
    params: readonly unknown[],
    signal: AbortSignal,
    options?: CallOptions,
  ) => Promise<Result>;
  /** For commands: sent to one node, once. After `Unavailable` it may or may not have been executed. */
  readonly callOnce: <Result>(
    method: string,
    params: readonly unknown[],
    signal: AbortSignal,
    options?: CallOptions,
  ) => Promise<Result>;
  /** Many calls in few requests; answers in the order of the calls, each with its own outcome. */
  readonly batch: (
    calls: readonly RpcCall[],
    signal: AbortSignal,
    options?: CallOptions,
  ) => Promise<readonly RpcAnswer[]>;
  /** The same client, restricted to that node. Closing it closes nothing. */
  readonly only: (node: string) => JsonRpc;
};

/** Bitcoin's "loading block index", and the code some gateways put into an HTTP 200 for "too many requests". */
const transientCodes = new Set([-28, 429]);
const defaultBatchMax = 100;

/** The number of the last call, so that no two calls of a client have the same. */
type Ids = { last: number };

/** A client for equal nodes; it connects with the first call. */
export function createJsonRpc(options: JsonRpcOptions): JsonRpc {
  const { verify, batchMax = defaultBatchMax, ...rest } = options;
  const ids: Ids = { last: 0 };
  const nodes = createHttpNodes({
    ...rest,
    ...(verify === undefined
      ? {}
      : {
          verify: (node: NodeLink) =>
            verify((method, params) => askNode(node, { method, params }, ++ids.last)),
        }),
  });
  return jsonRpcOver(nodes, ids, { batchMax, partsMax: options.connections ?? defaultConnections });
}

/** How many calls one request may have, and how many requests one batch may have under way. */
type BatchLimits = { readonly batchMax: number; readonly partsMax: number };

function jsonRpcOver({ run, only, ...client }: HttpNodes, ids: Ids, limits: BatchLimits): JsonRpc {
  const { batchMax, partsMax } = limits;
  const call = async <Result>(
    request: RpcCall,
    signal: AbortSignal,
    { accept, ...how }: CallOptions & { readonly attempts?: number },
  ): Promise<Result> => {
    const read = accept === undefined ? request : { ...request, accept };
    return (await run((node) => askNode(node, read, ++ids.last), signal, how)) as Result;
  };

  const batchOnce = async (
    calls: readonly RpcCall[],
    signal: AbortSignal,
    { timeoutMs }: CallOptions,
  ): Promise<readonly RpcAnswer[]> => {
    const batch: Batch = { calls, node: null, answers: new Map() };
    await run(
      (node) => askNodeForBatch(node, batch, ids),
      signal,
      timeoutMs === undefined ? {} : { timeoutMs },
    );
    return calls.map((_, index) => present(batch.answers.get(index), "an answer to each call"));
  };

  return {
    ...client,
    call: (method, params, signal, how = {}) => call({ method, params }, signal, how),
    callOnce: (method, params, signal, how = {}) =>
      call({ method, params }, signal, { ...how, attempts: 1 }),
    batch: async (calls, signal, how = {}) => {
      const parts: (readonly RpcCall[])[] = [];
      for (let from = 0; from < calls.length; from += batchMax)
        parts.push(calls.slice(from, from + batchMax));
      // No more at once than there are connections: the time limit of a part counts its wait for one.
      const answers = await mapInTurns(parts, partsMax, (part) => batchOnce(part, signal, how));
      return answers.flat();
    },
    only: (node) => jsonRpcOver(only(node), ids, limits),
  };
}

/** The results in the order of the items, at most `atOnce` of them in work; none is begun after a failure. */
async function mapInTurns<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const left = [...items.entries()].values();
  let hasFailed = false;
  const workOff = async (): Promise<void> => {
    for (const [place, item] of left) {
      if (hasFailed) return;
      try {
        results[place] = await work(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, workOff));
  return results;
}

async function askNode(node: NodeLink, request: RpcCall, id: number): Promise<unknown> {
  const answer = decodeReply(await post(node, { jsonrpc: "2.0", id, ...request }), id);
  if ("result" in answer) {
    request.accept?.(answer.result);
    return answer.result;
  }
  const { code, message, data } = answer.error;
  if (transientCodes.has(code)) throw new NodeFault("busy", message);
  throw new RpcError(code, message, data);
}

/** A batch and its answers so far, by position, all from one node. */
type Batch = {
  readonly calls: readonly RpcCall[];
  node: string | null;
  readonly answers: Map<number, RpcAnswer>;
};

/**
 * Adds to the batch's answers, requesting only what is missing. Another node starts over, so that a batch never mixes two
 * nodes' views.
 */
async function askNodeForBatch(node: NodeLink, batch: Batch, ids: Ids): Promise<void> {
  const { calls, answers } = batch;
  if (batch.node !== node.name) answers.clear();
  batch.node = node.name;
  const open = calls.flatMap((request, index) => (answers.has(index) ? [] : [{ index, request }]));
  const firstId = ids.last + 1;
  ids.last += open.length;
  const body = open.map(({ request }, position) => ({
    jsonrpc: "2.0",
    id: firstId + position,
    ...request,
  }));
  const reply = await post(node, body);
  for (const [position, answer] of decodeReplies(reply, firstId, open.length)) {
    const isPassing = "error" in answer && transientCodes.has(answer.error.code);
    const index = open[position]?.index;
    if (isPassing || index === undefined) continue;
    if ("result" in answer) calls[index]?.accept?.(answer.result);
    answers.set(index, answer);
  }
  const missing = calls.length - answers.size;
  if (missing > 0)
    throw new NodeFault("garbage", `left ${missing} of ${calls.length} calls unanswered`);
}

/** The HTTP status repeats what the answer says. */
async function post(node: NodeLink, body: unknown): Promise<unknown> {
  const { document } = await node.send({ method: "POST", path: "", body: JSON.stringify(body) });
  return document;
}
