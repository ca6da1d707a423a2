import { present } from "../../platform/kernel/assert.ts";
import { readData } from "./answer.ts";
import type { EvmChain } from "./evm-chain.ts";
import { type EvmNode, type Question, refused } from "./evm-node.ts";
import type { Call } from "./fee-questions.ts";
import { isRevert } from "./revert.ts";

/** The address of the price oracle on every OP stack chain. */
const priceOracle = "0x420000000000000000000000000000000000000f";

/**
 * The maximum size of an unsigned EIP-1559 transaction in RLP without its data: its type (1), the list's header (3), chain id and
 * nonce (9 each), fees (17 each), gas (9), receiver (21), value (33), the data's header (3) and an empty access list (1).
 */
const bytesBesideData = 123;

/**
 * The maximum wei that an OP stack rollup charges in addition to gas: its own upper bound for a transaction of that size (the L1
 * fee, signature included) plus a quarter, which covers two full L1 blocks, and the operator fee for the gas. 0 on chains without
 * a separate fee, and where the oracle is not deployed (a private chain).
 */
export async function readDataFee(
  node: EvmNode,
  record: EvmChain,
  call: Call,
  gas: bigint,
  signal: AbortSignal,
): Promise<bigint> {
  const [fee] = await readDataFees(node, record, [{ call, gas }], signal);
  return present(fee, "a fee per call");
}

/** The same for several transactions, in one round trip. */
export async function readDataFees(
  node: EvmNode,
  { dataFee }: EvmChain,
  calls: readonly { readonly call: Call; readonly gas: bigint }[],
  signal: AbortSignal,
): Promise<readonly bigint[]> {
  if (dataFee !== "apart" || calls.length === 0) return calls.map(() => 0n);
  const outcomes = await node.askEach(
    [
      ...calls.map(({ call: { data } }) =>
        askOracle("f1c7a58b", BigInt(bytesBesideData + (data.length - 2) / 2)),
      ),
      ...calls.map(({ gas }) => askOracle("275aedd2", gas)),
    ],
    signal,
  );
  return calls.map((_, position) => {
    const layerOne = present(outcomes[position], "the data's fee");
    const operator = present(outcomes[calls.length + position], "the operator's fee");
    if ("refusal" in layerOne) throw refused(node.chain, "getL1FeeUpperBound", layerOne.refusal);
    // Oracles from before the operator fee lack this function.
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
