import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { type Fields, Malformed, readFields } from "../rpc/answer.ts";
import { createDialectNodes, type DialectNodes } from "../rpc/dialect-nodes.ts";
import type { HttpNodes, NodeLink } from "../rpc/http-nodes.ts";
import { NodeError, NodeFault } from "../rpc/node-error.ts";

/** A request to rippled or Clio over JSON-RPC (API version 2), and how its answer is read. */
export type RippledQuestion<Answer> = {
  readonly method: string;
  readonly params: JsonObject;
  /** Reads `result`. Throws `Malformed`. */
  readonly read: (result: Fields) => Answer;
  /** Errors that are answers ("actNotFound"), by their code. */
  readonly onError?: Readonly<Record<string, (result: Fields) => Answer>>;
};

/** Asks one node; rejects with `NodeFault` or, when the node answers with an error, with `NodeError`. */
export type AskRippled = <Answer>(question: RippledQuestion<Answer>) => Promise<Answer>;

/** The nodes of one chain. Every method rejects with `Unavailable` when no node answers. */
export type RippledNode = DialectNodes<AskRippled>;

/** Reads and sends through equal nodes. A malformed answer counts as the node's failure. */
export function createRippledNode(chain: string, nodes: HttpNodes): RippledNode {
  return createDialectNodes(chain, nodes, askOver);
}

const apiVersion = 2;

/** Asks the node behind the link; for `HttpNodesOptions.verify`, before the node is in use. */
export function askOver(link: NodeLink): AskRippled {
  return async ({ method, params, read, onError = {} }) => {
    const { status, document } = await link.send({
      method: "POST",
      path: "",
      body: JSON.stringify({ method, params: [{ ...params, api_version: apiVersion }] }),
    });
    const result = resultIn(document);
    if (result === null)
      throw new NodeFault("garbage", `${method}: answered HTTP ${status} without a result`);
    try {
      const code = errorIn(result);
      if (code === null) return read(result);
      const answer = Object.hasOwn(onError, code) ? onError[code] : undefined;
      if (answer !== undefined) return answer(result);
      throw errorOf(method, code, result);
    } catch (fault) {
      if (!(fault instanceof Malformed)) throw fault;
      throw new NodeFault("garbage", `${method}: answered ${errorMessage(fault)}`, fault);
    }
  };
}

function resultIn(document: unknown): Fields | null {
  if (typeof document !== "object" || document === null || !("result" in document)) return null;
  const { result } = document;
  return typeof result === "object" && result !== null ? readFields(result) : null;
}

function errorIn({ status, error }: Fields): string | null {
  if (status !== "error" && error === undefined) return null;
  return typeof error === "string" ? error : "an error without a code";
}

/** A node that is overloaded, not in sync with the network, or a Clio that cannot reach its rippled. */
const busyCodes = new Set([
  "slowDown",
  "tooBusy",
  "noNetwork",
  "noCurrent",
  "noClosed",
  "notReady",
  "notSynced",
  "failedToForward",
]);
/** Another node may answer. */
const deniedCodes = new Set([
  "amendmentBlocked",
  "forbidden",
  "noPermission",
  "unknownCmd",
  "notSupported",
  "invalid_API_version",
]);

function errorOf(method: string, code: string, { error_message }: Fields): Error {
  const text = `${method}: ${code}${typeof error_message === "string" ? ` (${error_message})` : ""}`;
  if (busyCodes.has(code)) return new NodeFault("busy", text);
  if (deniedCodes.has(code)) return new NodeFault("denied", text);
  return new NodeError(text);
}
