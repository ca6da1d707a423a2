import { errorMessage } from "../../platform/kernel/error-message.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { decodeReply } from "../rpc/decode-reply.ts";
import type { NodeClient } from "../rpc/failover.ts";
import type { HttpNodes, NodeLink, RunOptions } from "../rpc/http-nodes.ts";
import { NodeError, NodeFault, RpcError } from "../rpc/node-error.ts";
import { type Fields, Malformed, readFields, readText } from "./answer.ts";

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
export type MonerodNode = NodeClient & {
  readonly chain: string;
  readonly ask: <Answer>(question: MonerodQuestion<Answer>, signal: AbortSignal) => Promise<Answer>;
  /** Several questions to one node; if it fails, all of them go to the next one. */
  readonly consult: <Answer>(
    work: (ask: AskMonerod) => Promise<Answer>,
    signal: AbortSignal,
  ) => Promise<Answer>;
  /** Commands, sent to one node once. After `Unavailable`, the node may or may not have executed them. */
  readonly command: <Answer>(
    work: (ask: AskMonerod) => Promise<Answer>,
    signal: AbortSignal,
  ) => Promise<Answer>;
  /** The same client, restricted to that node. Closing it closes nothing. */
  readonly only: (node: string) => MonerodNode;
};

/** Reads and sends through equal nodes. A malformed answer counts as the node's failure. */
export function createMonerodNode(chain: string, nodes: HttpNodes): MonerodNode {
  const { run: runOn, only, ...client } = nodes;
  const run = async <Answer>(
    work: (ask: AskMonerod) => Promise<Answer>,
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
    command: (work, signal) => run(work, signal, { attempts: 1 }),
    only: (node) => createMonerodNode(chain, only(node)),
  };
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
