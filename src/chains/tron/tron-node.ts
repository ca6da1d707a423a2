import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { NodeClient } from "../rpc/failover.ts";
import type { HttpNodes, NodeLink, RunOptions } from "../rpc/http-nodes.ts";
import { NodeError, NodeFault } from "../rpc/node-error.ts";
import { Malformed } from "./answer.ts";

/**
 * A request to java-tron's HTTP interface and how its answer is read. `/wallet` answers from the newest block, `/walletsolidity`
 * from the solid one.
 */
export type TronQuestion<Answer> = {
  readonly path: `/wallet/${string}` | `/walletsolidity/${string}`;
  readonly body: JsonObject;
  /** Integers that a double cannot hold arrive as text. Throws `Malformed`. */
  readonly read: (document: unknown) => Answer;
};

/** Asks one node; rejects with `NodeFault` or, when the node answers with an error, with `NodeError`. */
export type AskTron = <Answer>(question: TronQuestion<Answer>) => Promise<Answer>;

/** The java-tron nodes of one chain. Every method rejects with `Unavailable` when no node answers. */
export type TronNode = NodeClient & {
  readonly chain: string;
  readonly ask: <Answer>(question: TronQuestion<Answer>, signal: AbortSignal) => Promise<Answer>;
  /** Several questions to one node; if it fails, all of them go to the next one. */
  readonly consult: <Answer>(
    work: (ask: AskTron) => Promise<Answer>,
    signal: AbortSignal,
  ) => Promise<Answer>;
  /** A command, sent to one node once. After `Unavailable`, the node may or may not have executed it. */
  readonly command: <Answer>(
    question: TronQuestion<Answer>,
    signal: AbortSignal,
  ) => Promise<Answer>;
  /** The same client, restricted to that node. Closing it closes nothing. */
  readonly only: (node: string) => TronNode;
};

/** Reads and sends through equal java-tron nodes. A malformed answer counts as the node's failure. */
export function createTronNode(chain: string, nodes: HttpNodes): TronNode {
  const { run: runOn, only, ...client } = nodes;
  const run = async <Answer>(
    work: (ask: AskTron) => Promise<Answer>,
    signal: AbortSignal,
    options: RunOptions,
  ): Promise<Answer> => {
    try {
      return await runOn((link) => work(askOver(link)), signal, options);
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      throw new Unavailable(chain, error.message, error);
    }
  };
  return {
    ...client,
    chain,
    ask: (question, signal) => run((ask) => ask(question), signal, {}),
    consult: (work, signal) => run(work, signal, {}),
    command: (question, signal) => run((ask) => ask(question), signal, { attempts: 1 }),
    only: (node) => createTronNode(chain, only(node)),
  };
}

/** Asks the node behind the link; for `HttpNodesOptions.verify`, before the node is in use. */
export function askOver(link: NodeLink): AskTron {
  return async ({ path, body, read }) => {
    const { status, document } = await link.send({
      method: "POST",
      path,
      body: JSON.stringify(body),
    });
    const error = errorIn(document);
    if (error !== null) throw errorOf(path, error);
    if (status >= 400) throw new NodeFault("garbage", `${path}: answered HTTP ${status}`);
    try {
      return read(document);
    } catch (fault) {
      if (!(fault instanceof Malformed)) throw fault;
      throw new NodeFault("garbage", `${path}: answered ${errorMessage(fault)}`, fault);
    }
  };
}

/** java-tron answers errors with HTTP 200 and the member `Error`; gateways in front of it do so too, with other statuses. */
function errorIn(document: unknown): string | null {
  if (typeof document !== "object" || document === null || !("Error" in document)) return null;
  return typeof document.Error === "string" ? document.Error : "an error without a message";
}

/** java-tron's rate limiter, and gateways'. */
const busyMessage = /lack of computing resources|frequency limit|rate limit|too many requests/i;
/** Switched off by the node's configuration. */
const closedMessage = /API is (?:unavailable|closed)/i;

/** An error that another node may not return counts as this node's fault. */
function errorOf(path: string, message: string): Error {
  if (busyMessage.test(message)) return new NodeFault("busy", `${path}: ${message}`);
  if (closedMessage.test(message)) return new NodeFault("denied", `${path}: ${message}`);
  return new NodeError(`${path}: ${message}`);
}
