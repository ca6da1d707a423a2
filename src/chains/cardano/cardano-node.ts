import type { Clock } from "../../platform/kernel/clock.ts";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import type { Random } from "../../platform/kernel/random.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { Malformed, readFields } from "../rpc/answer.ts";
import type { DialectNodes } from "../rpc/dialect-nodes.ts";
import { createFailover } from "../rpc/failover.ts";
import { createHttpNode, type HttpNode, type NodeAddress } from "../rpc/http-node.ts";
import { NodeError, NodeFault } from "../rpc/node-error.ts";
import { type ChainMemory, createChainMemory } from "./chain-memory.ts";
import { type ChainPlace, newPlace } from "./chain-place.ts";
import {
  type Conversation,
  createOgmiosSocket,
  errorIn,
  type OgmiosSocket,
} from "./ogmios-socket.ts";

/** cardano-node behind Ogmios, and the Kupo that reads the same node. */
export type CardanoServers = { readonly ogmios: NodeAddress; readonly kupo: NodeAddress };

/** One node for the time of one task. Rejects with `NodeFault`, or with `NodeError` for an error that the node answers. */
export type CardanoLink = {
  /** A question to Ogmios that needs no connection of its own. `read` throws `Malformed`. */
  readonly ogmios: <Answer>(
    method: string,
    params: Readonly<Record<string, unknown>>,
    read: (result: unknown) => Answer,
  ) => Promise<Answer>;
  /** A question to Kupo; `read` gets null where there is no such thing. */
  readonly kupo: <Answer>(path: string, read: (document: unknown) => Answer) => Promise<Answer>;
  /** Follows the chain, over the node's one connection for that. */
  readonly onChain: <Answer>(
    talk: (conversation: Conversation<ChainPlace>) => Promise<Answer>,
  ) => Promise<Answer>;
  /** Looks into the mempool, over another connection. */
  readonly inMempool: <Answer>(
    talk: (conversation: Conversation<null>) => Promise<Answer>,
  ) => Promise<Answer>;
  /** What this node's chain looked like when it was last read. */
  readonly memory: ChainMemory;
};

export type RunOptions = { readonly attempts?: number };

/** The nodes of one network. Every method rejects with `Unavailable` when no node answers. */
export type CardanoNode = DialectNodes<CardanoLink>;

export type CardanoNodeOptions = {
  readonly chain: string;
  /** Equal nodes, the preferred one first. */
  readonly servers: readonly CardanoServers[];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: Random;
  /** Time limit of one request. */
  readonly timeoutMs: number;
  /** Must succeed before a node is used, and again after each failure. */
  readonly verify?: (link: CardanoLink) => Promise<void>;
};

type Endpoint = {
  readonly name: string;
  readonly ogmios: HttpNode;
  readonly kupo: HttpNode;
  readonly chainSocket: OgmiosSocket<ChainPlace>;
  readonly mempoolSocket: OgmiosSocket<null>;
  readonly memory: ChainMemory;
  readonly close: () => Promise<void>;
};

const defaultAttempts = 4;
const connections = 4;
/** A block of 90 kB is a few hundred kB of JSON; what an address holds may be a few MB. */
const bodyBytesMax = 64 * 1024 * 1024;

/** A client for equal nodes; it connects with the first request. */
export function createCardanoNode(options: CardanoNodeOptions): CardanoNode {
  const { chain, clock, logger, random, timeoutMs, verify } = options;
  const endpoints = options.servers.map((servers, position) =>
    createEndpoint(servers, nameOf(options.servers, position), options),
  );
  const { run: runOn, ...client } = createFailover(endpoints, {
    chain,
    clock,
    random,
    logger: logger.with({ chain }),
    verify:
      verify === undefined
        ? null
        : (endpoint, closing) => verify(linkTo(endpoint, timeoutMs, closing)),
  });

  const connectedTo = (node: string | undefined): CardanoNode => {
    const run = async <Answer>(
      work: (link: CardanoLink) => Promise<Answer>,
      signal: AbortSignal,
      { attempts = defaultAttempts }: RunOptions,
    ): Promise<Answer> => {
      try {
        return await runOn(
          (endpoint, stop) => malformedAsFault(work(linkTo(endpoint, timeoutMs, stop))),
          { signal, node, attempts },
        );
      } catch (error) {
        if (!(error instanceof NodeError)) throw error;
        throw new Unavailable(chain, error.message, error);
      }
    };
    return {
      ...client,
      chain,
      consult: (work, signal) => run(work, signal, {}),
      command: (work, signal) => run(work, signal, { attempts: 1 }),
      only: (name) => ({
        ...connectedTo(name),
        currentNode: () => name,
        nodes: [name],
        available: () => client.available().filter((other) => other === name),
        close: () => Promise.resolve(),
      }),
    };
  };
  return connectedTo(undefined);
}

function createEndpoint(
  { kupo, ogmios }: CardanoServers,
  name: string,
  { clock, timeoutMs }: CardanoNodeOptions,
): Endpoint {
  const http = { clock, connections, bodyBytesMax };
  const nodes = {
    ogmios: createHttpNode(ogmios, { ...http, name }),
    kupo: createHttpNode(kupo, { ...http, name: new URL(kupo.url).host }),
  };
  const socket = { ...socketAddress(ogmios), clock, timeoutMs, bodyBytesMax };
  const chainSocket = createOgmiosSocket({ ...socket, remember: newPlace });
  const mempoolSocket = createOgmiosSocket({ ...socket, remember: () => null });
  return {
    name,
    ...nodes,
    chainSocket,
    mempoolSocket,
    memory: createChainMemory(),
    close: async () => {
      chainSocket.close();
      mempoolSocket.close();
      await Promise.all([nodes.ogmios.close(), nodes.kupo.close()]);
    },
  };
}

/** The same server, where it speaks WebSocket. Its userinfo becomes basic authentication, as over HTTP. */
function socketAddress({ headers, url }: NodeAddress): {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
} {
  const at = new URL(url.replace(/^http/, "ws"));
  const { password, username } = at;
  at.username = "";
  at.password = "";
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const basic =
    username === "" && password === ""
      ? {}
      : { authorization: `Basic ${Buffer.from(pair, "utf8").toString("base64")}` };
  return { url: at.href, headers: { ...basic, ...headers } };
}

function linkTo(endpoint: Endpoint, timeoutMs: number, signal: AbortSignal): CardanoLink {
  return {
    ogmios: async (method, params, read) => {
      const body = JSON.stringify({ jsonrpc: "2.0", method, params, id: 1 });
      const request = { method: "POST" as const, path: "", body };
      const { document } = await endpoint.ogmios.send(request, timeoutMs, signal);
      const answer = readFields(document);
      if (answer["error"] !== undefined) throw errorIn(method, answer["error"]);
      return reading(method, () => read(answer["result"]));
    },
    kupo: async (path, read) => {
      const request = { method: "GET" as const, path, body: null };
      const { document, status } = await endpoint.kupo.send(request, timeoutMs, signal);
      if (status >= 500) throw new NodeFault("busy", `kupo: answered HTTP ${status}`);
      if (status >= 400 && status !== 404)
        throw new NodeError(`kupo: ${path.split("?")[0] ?? ""}: answered HTTP ${status}`);
      return reading(`kupo ${path}`, () => read(status === 404 ? null : document));
    },
    onChain: (talk) => endpoint.chainSocket.converse(talk, signal),
    inMempool: (talk) => endpoint.mempoolSocket.converse(talk, signal),
    memory: endpoint.memory,
  };
}

function reading<Answer>(what: string, read: () => Answer): Answer {
  try {
    return read();
  } catch (fault) {
    if (!(fault instanceof Malformed)) throw fault;
    throw new NodeFault("garbage", `${what}: answered ${errorMessage(fault)}`, fault);
  }
}

/** A malformed answer counts as the node's failure. */
async function malformedAsFault<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (fault) {
    if (!(fault instanceof Malformed)) throw fault;
    throw new NodeFault("garbage", `answered ${errorMessage(fault)}`, fault);
  }
}

/** `host:port`; several nodes of one host and port are numbered: `host:port#2`. */
function nameOf(servers: readonly CardanoServers[], position: number): string {
  const hosts = servers.slice(0, position + 1).map(({ ogmios }) => new URL(ogmios.url).host);
  const host = hosts.at(-1) ?? "";
  const namesakes = hosts.filter((other) => other === host).length;
  return namesakes === 1 ? host : `${host}#${namesakes}`;
}
