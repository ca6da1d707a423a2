import { present } from "../../platform/kernel/assert.ts";
import { readData } from "./answer.ts";
import type { EvmChain } from "./evm-chains.ts";
import { type EvmNode, type Question, refused } from "./evm-node.ts";
import type { Call } from "./fee-questions.ts";
import { isRevert } from "./revert.ts";

/** Where every chain of the OP stack keeps its price oracle. */
const priceOracle = "0x420000000000000000000000000000000000000f";

/**
 * An unsigned EIP-1559 transaction in RLP, at most: its type (1), the list's head (3), chain id and nonce (9 each), fees (17
 * each), gas (9), receiver (21), value (33), the data's head (3) and no access list (1), beside the data itself.
 */
const bytesBesideData = 123;

/**
 * Wei that a rollup of the OP stack takes beside the gas, at most: its own upper bound for a transaction of that size (what
 * the layer below charges for it, signature included) with a quarter on top, which two full blocks below fill, and the
 * operator's fee for the gas. 0 on chains that charge nothing apart, and where nobody put the oracle (a private chain).
 */
export async function readDataFee(
  node: EvmNode,
  record: EvmChain,
  call: Call,
  gas: bigint,
  signal: AbortSignal,
): Promise<bigint> {
  const [fee = 0n] = await readDataFees(node, record, [{ call, gas }], signal);
  return fee;
}

/** The same for several transactions, in one round trip. */
export async function readDataFees(
  node: EvmNode,
  { dataFee }: EvmChain,
  asked: readonly { readonly call: Call; readonly gas: bigint }[],
  signal: AbortSignal,
): Promise<readonly bigint[]> {
  if (dataFee !== "apart" || asked.length === 0) return asked.map(() => 0n);
  const outcomes = await node.askEach(
    [
      ...asked.map(({ call: { data } }) =>
        askOracle("f1c7a58b", BigInt(bytesBesideData + (data.length - 2) / 2)),
      ),
      ...asked.map(({ gas }) => askOracle("275aedd2", gas)),
    ],
    signal,
  );
  return asked.map((_, position) => {
    const layerOne = present(outcomes[position], "the data's fee");
    const operator = present(outcomes[asked.length + position], "the operator's fee");
    if ("refusal" in layerOne) throw refused(node.chain, "getL1FeeUpperBound", layerOne.refusal);
    // Oracles from before the operator's fee do not have the question.
    if ("refusal" in operator && !isRevert(operator.refusal))
      throw refused(node.chain, "getOperatorFee", operator.refusal);
    const operatorFee = "answer" in operator ? operator.answer : 0n;
    return (layerOne.answer * 5n + 3n) / 4n + operatorFee;
  });
}

function askOracle(selector: string, argument: bigint): Question<bigint> {
  const data = `0x${selector}${argument.toString(16).padStart(64, "0")}`;
  return {
    method: "eth_call",
    params: [{ to: priceOracle, data }, "latest"],
    read: (result) => {
      const answer = readData(result);
      return answer === "0x" ? 0n : BigInt(answer.slice(0, 66));
    },
  };
}
