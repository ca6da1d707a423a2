import { present } from "../../platform/kernel/assert.ts";
import { NodeFault } from "../rpc/node-error.ts";
import { type EvmNode, type Outcome, type Question, refused } from "./evm-node.ts";
import { heightOf } from "./questions.ts";

/** A chain's nodes without those that are behind a height; see `ChainWriter.account.excludeBehind`. */
export type UpToDateNode = {
  readonly node: EvmNode;
  readonly excludeBehind: (height: number) => void;
};

/** A request carries at most 100 calls, and the next one may go to another node. */
const guardedMax = 99;

/**
 * Asks for the node's height in the same request, so that a node which is behind counts as busy, and another one is asked. The height excluded
 * last counts, also a lower one: a reorg may leave the best chain with fewer blocks. Commands go to any node.
 */
export function createUpToDateNode(node: EvmNode): UpToDateNode {
  let least = 0;

  const askEach = async (
    questions: readonly Question<unknown>[],
    signal: AbortSignal,
  ): Promise<readonly Outcome<unknown>[]> => {
    if (least === 0 || questions.length === 0) return await node.askEach(questions, signal);
    const guard = reached(least);
    const guarded = questions.flatMap((question, at) =>
      at % guardedMax === 0 ? [guard, question] : [question],
    );
    const outcomes = await node.askEach<readonly unknown[]>(guarded, signal);
    return outcomes.filter((outcome, at) => {
      if (at % (guardedMax + 1) !== 0) return true;
      if ("refusal" in outcome) throw refused(node.chain, guard.method, outcome.refusal);
      return false;
    });
  };

  const askAll = async (
    questions: readonly Question<unknown>[],
    signal: AbortSignal,
  ): Promise<readonly unknown[]> => {
    const outcomes = await askEach(questions, signal);
    return outcomes.map((outcome, at) => {
      if ("answer" in outcome) return outcome.answer;
      throw refused(node.chain, present(questions[at], "a question").method, outcome.refusal);
    });
  };

  return {
    node: {
      ...node,
      ask: async (question, signal) => (await askAll([question], signal))[0] as never,
      askAll: askAll as EvmNode["askAll"],
      askEach: askEach as EvmNode["askEach"],
    },
    excludeBehind: (height) => {
      least = height;
    },
  };
}

function reached(least: number): Question<unknown> {
  const { read, ...question } = heightOf();
  return {
    ...question,
    read: (result) => {
      const height = read(result);
      if (height < least)
        throw new NodeFault("busy", `is at block ${height}, before ${least}, which we have read`);
      return height;
    },
  };
}
