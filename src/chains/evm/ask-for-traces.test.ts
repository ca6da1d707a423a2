import { expect, it } from "vitest";
import { answeringEvmNode } from "../../../test/support/answering-evm-node.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { AnswerTooLarge, NoAnswerInTime } from "../rpc/node-error.ts";
import { askForTraces } from "./ask-for-traces.ts";
import type { EvmNode } from "./evm-node.ts";
import { traceOfTransaction } from "./trace-questions.ts";

/* What a node's refusal to trace means, in the words of nodes and hosts. */

const { signal } = new AbortController();
const hash = `0x${"b1".repeat(32)}`;
const question = traceOfTransaction(
  "trace_block",
  { height: 7, hash, parentHash: hash, time: 0 as never },
  hash,
);

it.each([
  ["execution timeout", "late"],
  ["request timed out", "late"],
  ["context deadline exceeded", "late"],
  ["Request timeout on the free tier, please upgrade", "late"],
  ["the method trace_block does not exist/is not available", "unsupported"],
  ["this method is not part of your plan", "unsupported"],
  ["response too large", "tooMuch"],
  ["missing trie node 5f3c", "forgotten"],
  ["historical state of block 0x1 is not available", "forgotten"],
  ["statement failed, 3 retries", "other"],
])("reads %j as %s", async (message, kind) => {
  const node = answeringEvmNode(() => ({ refusal: { code: -32000, message } }));
  expect(await askForTraces(node, question, signal)).toMatchObject({ kind, refusal: { message } });
});

it("tells a silent node and an oversized answer from a node that is away", async () => {
  const failing = (error: Error): EvmNode => ({
    ...answeringEvmNode(() => ({ result: [] })),
    askEach: () => Promise.reject(error),
  });
  const ask = (error: Error) => askForTraces(failing(error), question, signal);
  expect(await ask(new NoAnswerInTime("ETH", "no node answers"))).toMatchObject({ kind: "late" });
  expect(await ask(new AnswerTooLarge(100))).toMatchObject({ kind: "tooMuch" });
  await expect(ask(new Unavailable("ETH", "no node answers"))).rejects.toThrow(Unavailable);
});
