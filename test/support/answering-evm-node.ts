import type { EvmNode, Outcome, Question } from "../../src/chains/evm/evm-node.ts";

/** A node's raw answer, or its refusal. */
export type NodeAnswer =
  | { readonly result: unknown }
  | { readonly refusal: { readonly code: number; readonly message: string } };

/** A SIMULATED node: `answer` is asked for each call, and the question reads the result as it would a real node's. */
export function answeringEvmNode(
  answer: (method: string, params: readonly unknown[]) => NodeAnswer,
): EvmNode {
  const outcomeOf = (question: Question<unknown>): Outcome<unknown> => {
    const given = answer(question.method, question.params);
    return "refusal" in given ? given : { answer: question.read(given.result) };
  };
  const answerOf = (question: Question<unknown>): unknown => {
    const outcome = outcomeOf(question);
    if ("refusal" in outcome) throw new Error(`${question.method}: ${outcome.refusal.message}`);
    return outcome.answer;
  };
  return {
    chain: "ETH",
    ask: (question) => Promise.resolve(answerOf(question) as never),
    askAll: (questions) =>
      Promise.resolve((questions as readonly Question<unknown>[]).map(answerOf) as never),
    askEach: (questions) =>
      Promise.resolve((questions as readonly Question<unknown>[]).map(outcomeOf) as never),
    command: () => Promise.reject(new Error("no command here")),
    currentNode: () => "",
  };
}

type FeeState = {
  /** Of the next block, in wei per gas. */
  readonly baseFee: bigint;
  /** Of the newest block. */
  readonly gasLimit: bigint;
};

const quantity = (value: bigint): string => `0x${value.toString(16)}`;
const word = (value: bigint): string => `0x${value.toString(16).padStart(64, "0")}`;

/** What a node answers about the newest block and its fees; null for other questions. */
export function feeAnswer(method: string, { baseFee, gasLimit }: FeeState): NodeAnswer | null {
  const fee = quantity(baseFee);
  switch (method) {
    case "eth_getBlockByNumber":
      return {
        result: {
          number: "0x10",
          hash: word(16n),
          parentHash: word(15n),
          timestamp: "0x6a000000",
          baseFeePerGas: fee,
          gasLimit: quantity(gasLimit),
        },
      };
    case "eth_feeHistory":
      return {
        result: { oldestBlock: "0xf", baseFeePerGas: [fee, fee], reward: [["0x1", "0x1", "0x1"]] },
      };
    default:
      return null;
  }
}
