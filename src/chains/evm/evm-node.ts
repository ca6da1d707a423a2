import { present } from "../../platform/kernel/assert.ts";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { Malformed } from "../rpc/answer.ts";
import type { RpcAnswer, RpcCall } from "../rpc/decode-reply.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import { NodeFault, RpcError } from "../rpc/node-error.ts";

/** A JSON-RPC call and how its answer is read. */
export type Question<Answer> = {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly read: (result: unknown) => Answer;
};

/** A node's error answer, as opposed to no answer. */
export type Refusal = { readonly code: number; readonly message: string };

export type Outcome<Answer> = { readonly answer: Answer } | { readonly refusal: Refusal };

type Outcomes<Answers extends readonly unknown[]> = {
  readonly [Position in keyof Answers]: Outcome<Answers[Position]>;
};
type Questions<Answers extends readonly unknown[]> = {
  readonly [Position in keyof Answers]: Question<Answers[Position]>;
};

/** The nodes of one chain. Every method throws `Unavailable` when no node answers. */
export type EvmNode = {
  readonly chain: string;
  /** Throws `Unavailable` also when the node refuses. */
  readonly ask: <Answer>(question: Question<Answer>, signal: AbortSignal) => Promise<Answer>;
  /** Sends several questions in one round trip; throws `Unavailable` when the node refuses any of them. */
  readonly askAll: <const Answers extends readonly unknown[]>(
    questions: Questions<Answers>,
    signal: AbortSignal,
  ) => Promise<Answers>;
  /** Sends several questions in one round trip, each with its own outcome; a single question allows a larger answer. */
  readonly askEach: <const Answers extends readonly unknown[]>(
    questions: Questions<Answers>,
    signal: AbortSignal,
  ) => Promise<Outcomes<Answers>>;
  /** A command, sent to one node once. After `Unavailable`, the node may or may not have executed it. */
  readonly command: (
    method: string,
    params: readonly unknown[],
    signal: AbortSignal,
  ) => Promise<Outcome<unknown>>;
  /** The node in use, for facts that are cached per node. */
  readonly currentNode: () => string;
};

/**
 * One node, or several with failover. Each question parses its own answer. A refused or malformed answer throws `Unavailable`,
 * unless the question accepts a refusal as its answer.
 */
export function createEvmNode(chain: string, rpc: JsonRpc): EvmNode {
  const askEach: EvmNode["askEach"] = async (questions, signal) => {
    const read = questions.map((): unknown => null);
    const calls = questions.map((question, position) => ({
      method: question.method,
      params: question.params,
      accept: (result: unknown) => {
        read[position] = readAnswer(question, result);
      },
    }));
    const [first] = calls;
    const answers =
      first !== undefined && calls.length === 1
        ? [await callAlone(rpc, first, signal)]
        : await rpc.batch(calls, signal);
    const outcomes = questions.map((question, position) => {
      const answer = answers[position];
      if (answer === undefined) throw new Unavailable(chain, `${question.method}: no answer`);
      if ("error" in answer) return { refusal: answer.error };
      return { answer: read[position] };
    });
    // The compiler loses a tuple's positions when it is mapped.
    return outcomes as never;
  };

  const askAll: EvmNode["askAll"] = async (questions, signal) => {
    const outcomes = await askEach(questions, signal);
    return outcomes.map((outcome: Outcome<unknown>, position) => {
      if ("refusal" in outcome)
        throw refused(chain, present(questions[position], "a question").method, outcome.refusal);
      return outcome.answer;
    }) as never;
  };

  return {
    chain,
    ask: async (question, signal) => {
      const [answer] = await askAll([question], signal);
      return answer;
    },
    askAll,
    askEach,
    command: async (method, params, signal) => {
      const reply = await settled(rpc.callOnce(method, params, signal));
      return "error" in reply ? { refusal: reply.error } : { answer: reply.result };
    },
    currentNode: rpc.currentNode,
  };
}

/**
 * Sends a question outside a batch: nodes limit the total size of a batch's answers (Geth 25 MB), and most do not limit a single
 * answer.
 */
function callAlone(rpc: JsonRpc, call: RpcCall, signal: AbortSignal): Promise<RpcAnswer> {
  const how = call.accept === undefined ? {} : { accept: call.accept };
  return settled(rpc.call(call.method, call.params, signal, how));
}

async function settled(response: Promise<unknown>): Promise<RpcAnswer> {
  try {
    return { result: await response };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { error: { code: error.code, message: error.message } };
  }
}

/** The error for a node that refuses what it should answer. */
export function refused(chain: string, method: string, refusal: Refusal): Unavailable {
  const { code, message } = refusal;
  return new Unavailable(chain, `${method}: ${message} (${code})`, new RpcError(code, message));
}

const unsupportedCodes = new Set([-32601, -32004]);
const unsupportedMessage =
  /\b(?:method|module|namespace|tracer)\b.*\b(?:not|unsupported|disabled|unknown)\b|\b(?:unsupported|unknown)\b.*\b(?:method|module|namespace|tracer)\b/i;
const planMessage = /\b(?:plan|tier)\b/i;
const limitMessage = /\b(?:limit|rate|capacity|throughput)\b/i;

const tooMuchMessage =
  /\btoo (?:large|big)\b|\blarger than\b|\bsize limit\b|\bexceed(?:s|ed)?\b.*\b(?:size|bytes|maximum)\b/i;
const rateMessage = /\b(?:rate|requests?|capacity|throughput|per second)\b/i;

/** Whether the refusal means that the answer is larger than the node returns at once. */
export function isTooMuch({ message }: Refusal): boolean {
  return tooMuchMessage.test(message) && !rateMessage.test(message);
}

/** Geth's tracers end with "execution timeout", its calls with "execution aborted (timeout = 5s)"; hosted nodes and proxies phrase it in many ways. */
const lateMessage =
  /\btime(?:d)?[ -]?out\b|\bdeadline exceeded\b|\btime limit\b|\btook too long\b/i;

/** Whether the refusal means that the answer took longer than the node allows. */
export function isLate({ message }: Refusal): boolean {
  return lateMessage.test(message);
}

/** Whether the refusal means that this node does not offer the method at all; hosted nodes phrase it in many ways. */
export function isUnsupported({ code, message }: Refusal): boolean {
  if (limitMessage.test(message)) return false;
  return (
    unsupportedCodes.has(code) || unsupportedMessage.test(message) || planMessage.test(message)
  );
}

/** A malformed answer is the node's fault, so another node is asked. */
function readAnswer(question: Question<unknown>, result: unknown): unknown {
  try {
    return question.read(result);
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    throw new NodeFault("garbage", `${question.method}: answered ${errorMessage(error)}`, error);
  }
}
