import { AnswerTooLarge, NoAnswerInTime } from "../rpc/node-error.ts";
import {
  type EvmNode,
  isLate,
  isTooMuch,
  isUnsupported,
  type Question,
  type Refusal,
} from "./evm-node.ts";
import type { TraceAnswer } from "./trace-questions.ts";

/**
 * Why there are no traces. `late`: they took longer than the node or we allow. `tooMuch`: they are larger than the node returns or we accept.
 * `unsupported`: the node does not offer the method. `forgotten`: it has pruned the state. `other`: anything that may pass.
 */
export type TraceRefusal = {
  readonly kind: "late" | "tooMuch" | "unsupported" | "forgotten" | "other";
  readonly refusal: Refusal;
};

export type TraceOutcome = Extract<TraceAnswer, { readonly kind: "moves" }> | TraceRefusal;

/** A full node prunes the state of older blocks, without which it cannot trace their transactions. */
const forgottenState =
  /\b(?:state|trie|ancestors?|pruned|archive|too old|resource not found|required data|history)\b/i;

/**
 * Asks for traces. A refusal is an error in any form: the node's, the tracer's inside its answer, or ours for an oversized or late answer.
 * Throws `Unavailable` when the node does not respond for another reason.
 */
export async function askForTraces(
  node: EvmNode,
  question: Question<TraceAnswer>,
  signal: AbortSignal,
): Promise<TraceOutcome> {
  try {
    const [outcome] = await node.askEach([question], signal);
    if ("refusal" in outcome) return classify(outcome.refusal);
    return outcome.answer.kind === "moves" ? outcome.answer : classify(outcome.answer.refusal);
  } catch (error) {
    if (error instanceof AnswerTooLarge)
      return { kind: "tooMuch", refusal: { code: 0, message: `too large: ${error.message}` } };
    if (error instanceof NoAnswerInTime)
      return { kind: "late", refusal: { code: 0, message: error.message } };
    throw error;
  }
}

function classify(refusal: Refusal): TraceRefusal {
  if (isLate(refusal)) return { kind: "late", refusal };
  if (isUnsupported(refusal)) return { kind: "unsupported", refusal };
  if (isTooMuch(refusal)) return { kind: "tooMuch", refusal };
  return { kind: forgottenState.test(refusal.message) ? "forgotten" : "other", refusal };
}
