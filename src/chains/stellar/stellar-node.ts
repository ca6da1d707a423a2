import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { Malformed } from "../rpc/answer.ts";
import { createDialectNodes, type DialectNodes } from "../rpc/dialect-nodes.ts";
import type { HttpNodes, NodeLink } from "../rpc/http-nodes.ts";
import { NodeError, NodeFault } from "../rpc/node-error.ts";

/** A request to stellar-rpc over JSON-RPC 2.0 with named parameters, and how its answer is read. */
export type StellarQuestion<Answer> = {
  readonly method: string;
  /** Absent where the method has none: before version 25, stellar-rpc then refuses an empty object as well. */
  readonly params?: JsonObject;
  /** Reads `result`. Throws `Malformed`. */
  readonly read: (result: unknown) => Answer;
  /** Errors that are answers, by their code. */
  readonly onError?: Readonly<Record<number, () => Answer>>;
};

/** Asks one node; rejects with `NodeFault` or, when the node answers with an error, with `NodeError`. */
export type AskStellar = <Answer>(question: StellarQuestion<Answer>) => Promise<Answer>;

/** The nodes of one network. Every method rejects with `Unavailable` when no node answers. */
export type StellarNode = DialectNodes<AskStellar>;

/** Reads and sends through equal nodes. A malformed answer counts as the node's failure. */
export function createStellarNode(chain: string, nodes: HttpNodes): StellarNode {
  return createDialectNodes(chain, nodes, askOver);
}

/** Asks the node behind the link; for `HttpNodesOptions.verify`, before the node is in use. */
export function askOver(link: NodeLink): AskStellar {
  return async ({ method, params, read, onError = {} }) => {
    const { status, document } = await link.send({
      method: "POST",
      path: "",
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    const answer = answerIn(document);
    if (answer === null)
      throw new NodeFault("garbage", `${method}: answered HTTP ${status} and no JSON-RPC`);
    try {
      if ("result" in answer) return read(answer.result);
      const known = onError[answer.code];
      if (known !== undefined) return known();
      throw errorOf(method, answer);
    } catch (fault) {
      if (!(fault instanceof Malformed)) throw fault;
      throw new NodeFault("garbage", `${method}: answered ${errorMessage(fault)}`, fault);
    }
  };
}

type RpcFailure = { readonly code: number; readonly message: string };

function answerIn(document: unknown): { readonly result: unknown } | RpcFailure | null {
  if (typeof document !== "object" || document === null) return null;
  const error = "error" in document ? document.error : null;
  if (typeof error !== "object" || error === null)
    return "result" in document ? { result: document.result } : null;
  const code = "code" in error && typeof error.code === "number" ? error.code : 0;
  const message = "message" in error ? String(error.message) : "an error without a message";
  return { code, message };
}

/** JSON-RPC's codes; a node answers with an internal error while it reads ledgers again, or lags behind the network. */
const codes = { unknownMethod: -32_601, internal: -32_603 };

/** An error that another node may not return counts as this node's fault. */
function errorOf(method: string, { code, message }: RpcFailure): Error {
  const text = `${method}: ${message} (${code})`;
  if (code === codes.internal) return new NodeFault("busy", text);
  if (code === codes.unknownMethod) return new NodeFault("denied", text);
  return new NodeError(text);
}
