import { assert } from "../../platform/kernel/assert.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import type { GasFees } from "./estimate-fees.ts";
import type { Call } from "./fee-questions.ts";

/** An ordinary transaction that can be signed: EIP-1559, or EIP-155 where a chain has no base fee. */
export type DraftedTransaction = {
  readonly type: "eip1559" | "legacy";
  readonly chainId: number;
  /** Lower case, as all addresses here. */
  readonly from: string;
  readonly nonce: number;
  readonly call: Call;
  readonly gas: bigint;
  readonly fees: GasFees;
  /** Maximum wei that a rollup charges in addition to gas. */
  readonly dataFee: bigint;
};

/** The draft's body: every number as decimal text, addresses and data in lower-case hex. */
export function writeBody(transaction: DraftedTransaction): JsonObject {
  const { type, chainId, from, nonce, call, gas, fees, dataFee } = transaction;
  const price =
    type === "legacy"
      ? { gasPrice: fees.maxFeePerGas.toString() }
      : {
          maxFeePerGas: fees.maxFeePerGas.toString(),
          maxPriorityFeePerGas: fees.maxPriorityFeePerGas.toString(),
        };
  return {
    type,
    chainId: chainId.toString(),
    from,
    nonce: nonce.toString(),
    to: call.to,
    value: call.value.toString(),
    data: call.data,
    gas: gas.toString(),
    ...price,
    dataFee: dataFee.toString(),
  };
}

/** Parses what `writeBody` wrote; anything else is a bug and throws. */
export function readBody(body: JsonObject): DraftedTransaction {
  const { type } = body;
  assert(type === "eip1559" || type === "legacy", "a draft of an ordinary transaction");
  const text = (name: string): string => {
    const value = body[name];
    assert(typeof value === "string", `a draft with ${name}`);
    return value;
  };
  const fees =
    type === "legacy"
      ? { maxFeePerGas: text("gasPrice"), maxPriorityFeePerGas: text("gasPrice") }
      : {
          maxFeePerGas: text("maxFeePerGas"),
          maxPriorityFeePerGas: text("maxPriorityFeePerGas"),
        };
  return {
    type,
    chainId: Number(text("chainId")),
    from: text("from"),
    nonce: Number(text("nonce")),
    call: { to: text("to"), value: BigInt(text("value")), data: text("data") },
    gas: BigInt(text("gas")),
    fees: {
      maxFeePerGas: BigInt(fees.maxFeePerGas),
      maxPriorityFeePerGas: BigInt(fees.maxPriorityFeePerGas),
    },
    dataFee: BigInt(text("dataFee")),
  };
}

/** The maximum fee, in wei. */
export function feeOf({
  gas,
  fees,
  dataFee,
}: Pick<DraftedTransaction, "gas" | "fees" | "dataFee">): bigint {
  return gas * fees.maxFeePerGas + dataFee;
}
