import { errorMessage } from "../../platform/kernel/error-message.ts";
import { type Fields, Malformed, readFields, readText } from "../rpc/answer.ts";
import { decodeReply } from "../rpc/decode-reply.ts";
import { createDialectNodes, type DialectNodes } from "../rpc/dialect-nodes.ts";
import type { HttpNodes, NodeLink } from "../rpc/http-nodes.ts";
import { NodeError, NodeFault, RpcError } from "../rpc/node-error.ts";

/** A request to monerod: a method of its JSON-RPC, or one of its other paths, and how its answer is read. */
export type MonerodQuestion<Answer> = {
  readonly body: Readonly<Record<string, unknown>>;
  /** Throws `Malformed`. */
  readonly read: (answer: Fields) => Answer;
} & (
  | {
      readonly method: string;
      /** Errors that are answers, by their code. */
      readonly onError?: Readonly<Record<number, (message: string) => Answer>>;
    }
  | {
      readonly path: `/${string}`;
      /** Reads an answer whose status is not OK. Absent: it is the node's failure. */
      readonly onFailure?: (answer: Fields) => Answer;
    }
);

/** Asks one node; rejects with `NodeFault` or, when the node answers with an error, with `NodeError`. */
export type AskMonerod = <Answer>(question: MonerodQuestion<Answer>) => Promise<Answer>;

/** The monerod nodes of one network. Every method rejects with `Unavailable` when no node answers. */
export type MonerodNode = DialectNodes<AskMonerod>;

/** Reads and sends through equal nodes. A malformed answer counts as the node's failure. */
export function createMonerodNode(chain: string, nodes: HttpNodes): MonerodNode {
  return createDialectNodes(chain, nodes, askOver);
}

const callId = 0;

/** Asks the node behind the link; for `HttpNodesOptions.verify`, before the node is in use. */
export function askOver(link: NodeLink): AskMonerod {
  return async (question) => {
    const name = "method" in question ? question.method : question.path;
    const { document } = await link.send({
      method: "POST",
      path: "method" in question ? "/json_rpc" : question.path,
      body: JSON.stringify(
        "method" in question
          ? { jsonrpc: "2.0", id: callId, method: question.method, params: question.body }
          : question.body,
      ),
    });
    if ("method" in question) {
      const answer = decodeReply(document, callId);
      if ("error" in answer) {
        const { code, message } = answer.error;
        const known = question.onError?.[code];
        if (known !== undefined) return known(message);
        throw new RpcError(code, `${name}: ${message}`);
      }
      return readChecked(name, question.read, answer.result);
    }
    return readChecked(name, question.read, document, question.onFailure);
  };
}

function readChecked<Answer>(
  name: string,
  read: (answer: Fields) => Answer,
  document: unknown,
  onFailure?: (answer: Fields) => Answer,
): Answer {
  try {
    const answer = readFields(document);
    const status = readText(answer["status"]);
    // A node that loads its chain, or is busy with a long reorg.
    if (status === "BUSY") throw new NodeFault("busy", `${name}: the node is busy`);
    if (status === "OK") return read(answer);
    if (onFailure === undefined) throw new NodeError(`${name}: ${status}`);
    return onFailure(answer);
  } catch (fault) {
    if (!(fault instanceof Malformed)) throw fault;
    throw new NodeFault("garbage", `${name}: answered ${errorMessage(fault)}`, fault);
  }
}
