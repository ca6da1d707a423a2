import { errorMessage } from "../../platform/kernel/error-message.ts";
import { Malformed } from "../rpc/answer.ts";
import { createDialectNodes, type DialectNodes } from "../rpc/dialect-nodes.ts";
import type { HttpNodes, NodeLink } from "../rpc/http-nodes.ts";
import { NodeError, NodeFault } from "../rpc/node-error.ts";

/** A request to algod's REST interface, and how its answer is read. */
export type AlgodQuestion<Answer> = {
  readonly path: `/v2/${string}` | "/versions";
  /** Absent: GET. */
  readonly posted?: Uint8Array;
  /** Whether the answer is msgpack instead of JSON. */
  readonly isPacked?: true;
  /** Reads JSON, or bytes. Throws `Malformed`. */
  readonly read: (document: unknown) => Answer;
  /** Errors that are answers, by their HTTP status, with the node's message. */
  readonly onError?: Readonly<Record<number, (message: string) => Answer>>;
};

/** Asks one node; rejects with `NodeFault` or, when the node answers with an error, with `NodeError`. */
export type AskAlgod = <Answer>(question: AlgodQuestion<Answer>) => Promise<Answer>;

/** The algod nodes of one network. Every method rejects with `Unavailable` when no node answers. */
export type AlgodNode = DialectNodes<AskAlgod>;

/** Reads and sends through equal nodes. A malformed answer counts as the node's failure. */
export function createAlgodNode(chain: string, nodes: HttpNodes): AlgodNode {
  return createDialectNodes(chain, nodes, askOver);
}

/** Asks the node behind the link; for `HttpNodesOptions.verify`, before the node is in use. */
export function askOver(link: NodeLink): AskAlgod {
  return async ({ path, posted, isPacked = false, read, onError = {} }) => {
    const { status, document } = await link.send({
      method: posted === undefined ? "GET" : "POST",
      path,
      body: posted ?? null,
      wantsBytes: isPacked,
    });
    try {
      if (status < 400) return read(document);
    } catch (fault) {
      if (!(fault instanceof Malformed)) throw fault;
      throw new NodeFault("garbage", `${path}: answered ${errorMessage(fault)}`, fault);
    }
    const message = messageIn(document);
    const known = onError[status];
    if (known !== undefined) return known(message);
    // A node that is starting, catching up or out of disk space.
    if (status >= 500) throw new NodeFault("busy", `${path}: HTTP ${status}, ${message}`);
    throw new NodeError(`${path}: HTTP ${status}, ${message}`);
  };
}

/** algod answers errors with `{"message": ...}`. */
function messageIn(document: unknown): string {
  if (typeof document !== "object" || document === null || !("message" in document))
    return "without a message";
  return String(document.message);
}
