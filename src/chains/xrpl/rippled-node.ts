import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { NodeClient } from "../rpc/failover.ts";
import type { HttpNodes, NodeLink, RunOptions } from "../rpc/http-nodes.ts";
import { NodeError, NodeFault } from "../rpc/node-error.ts";
import { type Fields, Malformed, readFields } from "./answer.ts";

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
export type RippledNode = NodeClient & {
  readonly chain: string;
  readonly ask: <Answer>(question: RippledQuestion<Answer>, signal: AbortSignal) => Promise<Answer>;
  /** Several questions to one node; if it fails, all of them go to the next one. */
  readonly consult: <Answer>(
    work: (ask: AskRippled) => Promise<Answer>,
    signal: AbortSignal,
  ) => Promise<Answer>;
  /** Commands, sent to one node once. After `Unavailable`, the node may or may not have executed them. */
  readonly command: <Answer>(
    work: (ask: AskRippled) => Promise<Answer>,
    signal: AbortSignal,
  ) => Promise<Answer>;
  /** The same client, restricted to that node. Closing it closes nothing. */
  readonly only: (node: string) => RippledNode;
};

/** Reads and sends through equal nodes. A malformed answer counts as the node's failure. */
export function createRippledNode(chain: string, nodes: HttpNodes): RippledNode {
  const { run: runOn, only, ...client } = nodes;
  const run = async <Answer>(
    work: (ask: AskRippled) => Promise<Answer>,
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
    only: (node) => createRippledNode(chain, only(node)),
  };
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
