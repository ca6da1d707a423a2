import { present } from "../../platform/kernel/assert.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import type { Random } from "../../platform/kernel/random.ts";
import { decodeReplies, decodeReply, type RpcAnswer, type RpcCall } from "./decode-reply.ts";
import { createFailover, type NodeHealth } from "./failover.ts";
import { RpcError } from "./rpc-error.ts";
import { createRpcNode, NodeFault, type RpcNode } from "./rpc-node.ts";

export type JsonRpcOptions = {
  /** Equal nodes, the preferred one first; `http://user:password@host:port/path`. */
  readonly urls: readonly string[];
  /** The chain, for logs and errors: `"BTC"`. */
  readonly chain: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: Random;
  /** Time limit of one call. */
  readonly timeoutMs: number;
  /**
   * Must succeed before a node is used, and again after each failure: an error other than an outage bars the node, and is
   * thrown to callers when no other node is left.
   */
  readonly verify?: (ask: Ask) => Promise<void>;
  /** Attempts per call over all nodes, 4 by default. */
  readonly attempts?: number;
  /** Maximum calls per HTTP request, 100 by default; more are split and sent in parallel. */
  readonly batchMax?: number;
  readonly connections?: number;
  readonly bodyBytesMax?: number;
  readonly headers?: Readonly<Record<string, string>>;
};

export type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>;

export type CallOptions = {
  /** Overrides the client's, for long polls. */
  readonly timeoutMs?: number;
  /** Use only this node, named as by `currentNode`. */
  readonly node?: string;
  /** Reads the result; a `NodeFault` that it throws counts as the node's failure, and another node is asked. */
  readonly accept?: (result: unknown) => void;
};

/**
 * JSON-RPC 1.0 and 2.0 over HTTP, over several equal nodes. Numbers that a double cannot hold arrive as strings, see
 * `parseJson`. Rejects with `RpcError` when the node answers with an error and with `Unavailable` when none answers or
 * `signal` aborts.
 */
export type JsonRpc = {
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
  /** The node in use; another one after it fails. */
  readonly currentNode: () => string;
  readonly nodes: readonly string[];
  /** The same client, restricted to that node. Closing it closes nothing. */
  readonly only: (node: string) => JsonRpc;
  /** The nodes that may be used now, the one in use first; without those set aside. */
  readonly available: () => readonly string[];
  /** Stops using a node for a growing time, after an answer that no honest node gives. */
  readonly setAside: (node: string, error: Error) => void;
  readonly health: () => readonly NodeHealth[];
  readonly close: () => Promise<void>;
};

/** Bitcoin's "loading block index", and the code some gateways put into an HTTP 200 for "too many requests". */
const transientCodes = new Set([-28, 429]);
const defaultAttempts = 4;
const defaultBatchMax = 100;

/** A client for equal nodes; it connects with the first call. */
export function createJsonRpc(options: JsonRpcOptions): JsonRpc {
  const { chain, clock, random, verify } = options;
  const batchMax = options.batchMax ?? defaultBatchMax;
  const attempts = options.attempts ?? defaultAttempts;
  const ids = { last: 0 };
  const failover = createFailover(
    options.urls.map((url) =>
      createRpcNode(url, {
        clock,
        connections: options.connections ?? 4,
        bodyBytesMax: options.bodyBytesMax ?? 128 * 1024 * 1024,
        headers: options.headers ?? {},
      }),
    ),
    {
      chain,
      clock,
      random,
      logger: options.logger.with({ chain }),
      verify:
        verify === undefined
          ? null
          : (node, closing) =>
              verify((method, params) =>
                askNode(node, { method, params }, ++ids.last, options.timeoutMs, closing),
              ),
    },
  );

  const call = async (
    request: RpcCall,
    attemptsMax: number,
    signal: AbortSignal,
    how: CallOptions = {},
  ): Promise<unknown> =>
    await failover.run(
      (node, stop) =>
        askNode(
          node,
          how.accept === undefined ? request : { ...request, accept: how.accept },
          ++ids.last,
          how.timeoutMs ?? options.timeoutMs,
          stop,
        ),
      { signal, node: how.node, attempts: attemptsMax },
    );

  const batch = async (
    calls: readonly RpcCall[],
    signal: AbortSignal,
    how: CallOptions = {},
  ): Promise<readonly RpcAnswer[]> => {
    const batch: Batch = { calls, node: null, answers: new Map() };
    const timeoutMs = how.timeoutMs ?? options.timeoutMs;
    await failover.run((node, stop) => askNodeForBatch(node, batch, ids, timeoutMs, stop), {
      signal,
      node: how.node,
      attempts,
    });
    return calls.map((_, index) => present(batch.answers.get(index), "an answer to each call"));
  };

  const client: JsonRpc = {
    call: async <Result>(
      method: string,
      params: readonly unknown[],
      signal: AbortSignal,
      how?: CallOptions,
    ) => (await call({ method, params }, attempts, signal, how)) as Result,
    callOnce: async <Result>(
      method: string,
      params: readonly unknown[],
      signal: AbortSignal,
      how?: CallOptions,
    ) => (await call({ method, params }, 1, signal, how)) as Result,
    batch: async (calls, signal, how) => {
      const parts: (readonly RpcCall[])[] = [];
      for (let from = 0; from < calls.length; from += batchMax)
        parts.push(calls.slice(from, from + batchMax));
      // The pool's connections limit how many parts are under way at once.
      const answers = await Promise.all(parts.map((part) => batch(part, signal, how)));
      return answers.flat();
    },
    currentNode: failover.currentNode,
    nodes: failover.nodes,
    only: (node) => onlyNode(client, node),
    available: failover.available,
    setAside: failover.setAside,
    health: failover.health,
    close: failover.close,
  };
  return client;
}

function onlyNode(client: JsonRpc, node: string): JsonRpc {
  const own: JsonRpc = {
    ...client,
    call: (method, params, signal, how) => client.call(method, params, signal, { ...how, node }),
    callOnce: (method, params, signal, how) =>
      client.callOnce(method, params, signal, { ...how, node }),
    batch: (calls, signal, how) => client.batch(calls, signal, { ...how, node }),
    currentNode: () => node,
    nodes: [node],
    only: () => own,
    available: () => client.available().filter((name) => name === node),
    close: () => Promise.resolve(),
  };
  return own;
}

async function askNode(
  node: RpcNode,
  request: RpcCall,
  id: number,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<unknown> {
  const reply = await node.post(
    JSON.stringify({ jsonrpc: "2.0", id, ...request }),
    timeoutMs,
    signal,
  );
  const answer = decodeReply(reply, id);
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
  node: RpcNode | null;
  readonly answers: Map<number, RpcAnswer>;
};

/**
 * Adds to the batch's answers, requesting only what is missing. Another node starts over, so that a batch never mixes two
 * nodes' views.
 */
async function askNodeForBatch(
  node: RpcNode,
  batch: Batch,
  ids: { last: number },
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  const { calls, answers } = batch;
  if (batch.node !== node) answers.clear();
  batch.node = node;
  const open = calls.flatMap((request, index) => (answers.has(index) ? [] : [{ index, request }]));
  const firstId = ids.last + 1;
  ids.last += open.length;
  const body = open.map(({ request }, position) => ({
    jsonrpc: "2.0",
    id: firstId + position,
    ...request,
  }));
  const reply = await node.post(JSON.stringify(body), timeoutMs, signal);
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
