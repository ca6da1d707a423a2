import { expect, it } from "vitest";
import { answeringEvmNode } from "../../../test/support/answering-evm-node.ts";
import { NodeFault } from "../rpc/node-error.ts";
import { readQuantity } from "./answer.ts";
import type { EvmNode, Question } from "./evm-node.ts";
import { createUpToDateNode, type UpToDateNode } from "./up-to-date-node.ts";

/* A simulated node at block 100: what it is asked, and when its answers count. */

const { signal } = new AbortController();

function arrange(): UpToDateNode & { readonly requests: (readonly string[])[] } {
  const requests: (readonly string[])[] = [];
  const node = answeringEvmNode((method, [value]) => {
    if (method === "eth_blockNumber") return { result: "0x64" };
    return method === "odd" ? { refusal: { code: 1, message: "no" } } : { result: value };
  });
  const askEach = ((questions: readonly Question<unknown>[], aborted: AbortSignal) => {
    requests.push(questions.map(({ method }) => method));
    return node.askEach(questions, aborted);
  }) as EvmNode["askEach"];
  return { ...createUpToDateNode({ ...node, askEach }), requests };
}

const ask = (value: number, method = "echo"): Question<bigint> => ({
  method,
  params: [`0x${value.toString(16)}`],
  read: readQuantity,
});

it("asks for the height first once a height was excluded, in each part of a large request", async () => {
  const { node, excludeBehind, requests } = arrange();
  expect(await node.ask(ask(7), signal)).toBe(7n);
  excludeBehind(100);
  const values = Array.from({ length: 150 }, (_, value) => value);
  expect(
    await node.askAll(
      values.map((value) => ask(value)),
      signal,
    ),
  ).toEqual(values.map(BigInt));
  const [first, second = []] = requests;
  expect(first).toEqual(["echo"]);
  expect(second.flatMap((method, at) => (method === "echo" ? [] : [at]))).toEqual([0, 100]);
  expect(await node.askEach([ask(1), ask(2, "odd")], signal)).toMatchObject([
    { answer: 1n },
    { refusal: { message: "no" } },
  ]);
  await expect(node.askAll([ask(1), ask(2, "odd")], signal)).rejects.toThrow("odd: no");
});

it("takes no answer of a node that is behind, until a lower height is excluded", async () => {
  const { node, excludeBehind } = arrange();
  excludeBehind(101);
  await expect(node.ask(ask(7), signal)).rejects.toThrow(NodeFault);
  excludeBehind(100);
  expect(await node.ask(ask(7), signal)).toBe(7n);
});
