import { readQuantity, readWord } from "./answer.ts";
import type { EvmChain } from "./evm-chain.ts";
import { type EvmNode, type Outcome, type Question, refused } from "./evm-node.ts";
import { codeAt, type FeeHeader, gasFor, latestFeeHeader, resultOf } from "./fee-questions.ts";
import { type PaymentCall, transferCall } from "./payment-call.ts";
import { type GasLimit, gasLimit, isPlain, paymentGasMost, unusedAddress } from "./payment-gas.ts";
import { allowanceOf, isLackOfMoney, isRevert } from "./revert.ts";

/** What the newest state says about a payment. */
export type Probe = {
  readonly header: FeeHeader;
  /** The code of the receiver or of the token's contract. */
  readonly code: string;
  readonly limit: GasLimit;
  /** The result of simulating the payment now. */
  readonly result: Outcome<string>;
  /** The payer's balances of the chain's coin and of the paid currency. */
  readonly coinUnits: bigint;
  readonly assetUnits: bigint;
};

/**
 * Asks in one round trip. Throws `Unavailable` unless the node answers everything except what fails for the payer's lack of
 * funds.
 */
export async function probePayment(
  node: EvmNode,
  record: EvmChain,
  from: string,
  call: PaymentCall,
  signal: AbortSignal,
): Promise<Probe> {
  const [header, code, direct, other, result, coinUnits, assetUnits] = await node.askEach(
    [
      latestFeeHeader,
      codeAt(call.to),
      gasFor(from, call),
      gasFor(from, otherCall(call)),
      resultOf(from, call),
      coinHeld(from),
      call.contract === null ? coinHeld(from) : tokenHeld(call.contract, from),
    ],
    signal,
  );
  const codeThere = answered(node, "eth_getCode", code);
  const isUnneeded = isPlain({ ...call, ...record, code: codeThere });
  const estimates = isUnneeded
    ? { direct: null, other: null }
    : { direct: estimated(node, direct), other: estimated(node, other) };
  const headerThere = answered(node, "eth_getBlockByNumber", header);
  return {
    header: headerThere,
    code: codeThere,
    limit: gasLimit(call, record, {
      code: codeThere,
      blockGas: headerThere.gasLimit,
      ...estimates,
    }),
    result,
    coinUnits: answered(node, "eth_getBalance", coinUnits),
    assetUnits: answered(node, "balanceOf", assetUnits),
  };
}

/** Throws `Unavailable` if the node refuses. */
export function answered<Answer>(node: EvmNode, method: string, outcome: Outcome<Answer>): Answer {
  if ("refusal" in outcome) throw refused(node.chain, method, outcome.refusal);
  return outcome.answer;
}

/**
 * Null if the call fails or the payer lacks the funds. One more than the gas that the node allowed if that was not enough, but more than
 * any payment may have. Throws `Unavailable` if the node cannot run it now.
 */
export function estimated(node: EvmNode, outcome: Outcome<number>): bigint | null {
  if ("answer" in outcome) return BigInt(outcome.answer);
  const allowance = allowanceOf(outcome.refusal);
  if (allowance !== null && allowance >= paymentGasMost) return allowance + 1n;
  if (!isRevert(outcome.refusal) && !isLackOfMoney(outcome.refusal))
    throw refused(node.chain, "eth_estimateGas", outcome.refusal);
  return null;
}

/** Further gas estimates for a payment: a token's transfer to a newcomer, a call without its coin. */
export function otherCall(call: PaymentCall): PaymentCall {
  if (call.contract === null) return { ...call, value: 0n };
  const units = BigInt(`0x${call.data.slice(-64)}`);
  return transferCall(call.contract, unusedAddress, units);
}

/** The address's balance of the coin at the newest block, in wei. */
export function coinHeld(address: string): Question<bigint> {
  return { method: "eth_getBalance", params: [address, "latest"], read: readQuantity };
}

/** 0 also if there is no contract, which the code shows, or if it returns something else. */
export function tokenHeld(contract: string, address: string): Question<bigint> {
  const data = `0x70a08231${address.slice(2).padStart(64, "0")}`;
  return {
    method: "eth_call",
    params: [{ to: contract, data }, "latest"],
    read: (result) => readWord(result) ?? 0n,
  };
}
