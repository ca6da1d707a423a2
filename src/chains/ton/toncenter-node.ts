import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { Malformed } from "../rpc/answer.ts";
import { createDialectNodes, type DialectNodes } from "../rpc/dialect-nodes.ts";
import type { HttpNodes, NodeLink } from "../rpc/http-nodes.ts";
import { NodeError, NodeFault } from "../rpc/node-error.ts";

/** A request to toncenter's API v2 over JSON-RPC, and how its answer is read. */
export type ToncenterQuestion<Answer> = {
  readonly method: string;
  readonly params: JsonObject;
  /** Reads `result`. Throws `Malformed`. */
  readonly read: (result: unknown) => Answer;
  /** What an error means, by its text, where it is an answer; null for every other error. */
  readonly onError?: (text: string) => Answer | null;
};

/** Asks one node; rejects with `NodeFault` or, when the node answers with an error, with `NodeError`. */
export type AskToncenter = <Answer>(question: ToncenterQuestion<Answer>) => Promise<Answer>;

/** The nodes of one network. Every method rejects with `Unavailable` when no node answers. */
export type ToncenterNode = DialectNodes<AskToncenter>;

/** Reads and sends through equal nodes. A malformed answer counts as the node's failure. */
export function createToncenterNode(chain: string, nodes: HttpNodes): ToncenterNode {
  return createDialectNodes(chain, nodes, askOver);
}

/** Asks the node behind the link; for `HttpNodesOptions.verify`, before the node is in use. */
export function askOver(link: NodeLink): AskToncenter {
  return async ({ method, params, read, onError }) => {
    const { status, document } = await link.send({
      method: "POST",
      path: "",
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    const answer = answerIn(document);
    if (answer === null)
      throw new NodeFault("garbage", `${method}: answered HTTP ${status} without a result`);
    try {
      if ("result" in answer) return read(answer.result);
      const meant = onError?.(answer.error) ?? null;
      if (meant !== null) return meant;
      throw errorOf(method, status, answer.error);
    } catch (fault) {
      if (!(fault instanceof Malformed)) throw fault;
      throw new NodeFault("garbage", `${method}: answered ${errorMessage(fault)}`, fault);
    }
  };
}

function answerIn(
  document: unknown,
): { readonly result: unknown } | { readonly error: string } | null {
  if (typeof document !== "object" || document === null || !("ok" in document)) return null;
  if (document.ok === true) return "result" in document ? { result: document.result } : null;
  // The gateway in front of a node puts its own errors into `result`.
  const texts = [
    "error" in document ? document.error : null,
    "result" in document ? document.result : null,
  ];
  const text = texts.find((one) => typeof one === "string");
  return { error: text ?? "an error without a text" };
}

/** A request that the node itself finds wrong is refused by every node; anything else, another node may answer. */
function errorOf(method: string, status: number, text: string): Error {
  const known = `${method}: ${text.slice(0, 300)}`;
  if (status === 416 || status === 422) return new NodeError(known);
  if (text.includes("cannot apply external message")) return new NodeError(known);
  return new NodeFault(status === 404 ? "denied" : "busy", known);
}
