import type { Clock } from "../../platform/kernel/clock.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import type { Random } from "../../platform/kernel/random.ts";
import { createFailover, type NodeClient } from "./failover.ts";
import {
  createHttpNode,
  type HttpNode,
  type NodeAddress,
  type NodeReply,
  type NodeRequest,
} from "./http-node.ts";

export type HttpNodesOptions = {
  /** Equal nodes, the preferred one first. */
  readonly nodes: readonly NodeAddress[];
  /** The chain, for logs and errors: `"BTC"`. */
  readonly chain: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: Random;
  /** Time limit of one request. */
  readonly timeoutMs: number;
  /**
   * Must succeed before a node is used, and again after each failure: an error other than an outage bars the node, and is
   * thrown to callers when no other node is left.
   */
  readonly verify?: (node: NodeLink) => Promise<void>;
  /** Attempts per question over all nodes, 4 by default. */
  readonly attempts?: number;
  /** Connections per node, 4 by default. */
  readonly connections?: number;
  /** Longest accepted answer, 128 MiB by default. */
  readonly bodyBytesMax?: number;
};

/** A node for the time of one question: `send` keeps to its time limit, and rejects as `HttpNode.send` does. */
export type NodeLink = {
  readonly name: string;
  readonly send: (request: NodeRequest) => Promise<NodeReply>;
};

export type RunOptions = {
  /** Overrides the client's, for long polls. */
  readonly timeoutMs?: number;
  /** Overrides the client's; 1 for commands, which are sent to one node, once. */
  readonly attempts?: number;
};

/** Equal nodes behind HTTP, with failover; a dialect such as JSON-RPC says what to send and reads what comes back. */
export type HttpNodes = NodeClient & {
  /**
   * Lets `ask` question one node after the other until one answers; a `NodeFault` that it throws counts as the node's failure.
   * Rejects with the `NodeError` that `ask` throws, and with `Unavailable` when no node answers or `signal` aborts.
   */
  readonly run: <Answer>(
    ask: (node: NodeLink) => Promise<Answer>,
    signal: AbortSignal,
    options?: RunOptions,
  ) => Promise<Answer>;
  /** The same client, restricted to that node. Closing it closes nothing. */
  readonly only: (node: string) => HttpNodes;
};

const defaultAttempts = 4;
export const defaultConnections = 4;
const defaultBodyBytesMax = 128 * 1024 * 1024;

/** A client for equal nodes; it connects with the first request. */
export function createHttpNodes(options: HttpNodesOptions): HttpNodes {
  const { chain, clock, random, verify } = options;
  const linkTo = (node: HttpNode, timeoutMs: number, signal: AbortSignal): NodeLink => ({
    name: node.name,
    send: (request) => node.send(request, timeoutMs, signal),
  });
  const { run, ...client } = createFailover(
    options.nodes.map((address, position) =>
      createHttpNode(address, {
        name: nameOf(options.nodes, position),
        clock,
        connections: options.connections ?? defaultConnections,
        bodyBytesMax: options.bodyBytesMax ?? defaultBodyBytesMax,
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
          : (node, closing) => verify(linkTo(node, options.timeoutMs, closing)),
    },
  );
  const runOn =
    (node: string | undefined): HttpNodes["run"] =>
    (ask, signal, how = {}) =>
      run((chosen, stop) => ask(linkTo(chosen, how.timeoutMs ?? options.timeoutMs, stop)), {
        signal,
        node,
        attempts: how.attempts ?? options.attempts ?? defaultAttempts,
      });
  const only = (node: string): HttpNodes => ({
    ...client,
    run: runOn(node),
    only,
    currentNode: () => node,
    nodes: [node],
    available: () => client.available().filter((name) => name === node),
    close: () => Promise.resolve(),
  });
  return { ...client, run: runOn(undefined), only };
}

/** `host:port`; several nodes of one host are numbered: `host:port#2`. */
function nameOf(nodes: readonly NodeAddress[], position: number): string {
  const hosts = nodes.slice(0, position + 1).map(({ url }) => new URL(url).host);
  const host = hosts.at(-1) ?? "";
  const namesakes = hosts.filter((other) => other === host).length;
  return namesakes === 1 ? host : `${host}#${namesakes}`;
}
