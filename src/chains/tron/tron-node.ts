import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { Malformed } from "../rpc/answer.ts";
import { createDialectNodes, type DialectNodes } from "../rpc/dialect-nodes.ts";
import type { HttpNodes, NodeLink } from "../rpc/http-nodes.ts";
import { NodeError, NodeFault } from "../rpc/node-error.ts";

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
export type TronNode = DialectNodes<AskTron>;

/** Reads and sends through equal nodes. A malformed answer counts as the node's failure. */
export function createTronNode(chain: string, nodes: HttpNodes): TronNode {
  return createDialectNodes(chain, nodes, askOver);
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
