import { maxBigInt } from "../../platform/kernel/bigint-min-max.ts";
import type { Call } from "./fee-questions.ts";
import type { BatchPayment } from "./payout-delegate.ts";
import { transactionGas } from "./sweep-gas.ts";

/** A payment's own call: a cold address with value (2,600 and 9,000), and one turn of the contract's loop. */
const paymentTurnGas = 12_400n;
/** Creating the receiver's account. */
const creationGas = 25_000n;
/** What the contract wants to be left before each payment (`40000` there), beside what the payment may use. */
const reserveGas = 45_000n;
/** Gas bounds are multiples of this, so that few different ones have to be named. */
const step = 5_000n;

/** The gas that a payment's code may use, from the gas limit of a transaction that makes it alone. */
export function codeGas(limitAlone: bigint): number {
  const gas = maxBigInt(limitAlone - transactionGas, 0n);
  return Number(((gas + step - 1n) / step) * step);
}

/**
 * A batch's gas limit: the most that its payments can use if each one's code uses all that it may. With less, the last payments would
 * not be made. Unused gas costs nothing.
 */
export function payManyGasLimit(
  call: Call,
  payments: readonly (BatchPayment & { readonly isNew: boolean })[],
): bigint {
  const each = payments.map(
    // One part in 64 stays behind at the call (EIP-150).
    ({ gas, isNew }) => (BigInt(gas) * 65n) / 63n + paymentTurnGas + (isNew ? creationGas : 0n),
  );
  const all = each.reduce((sum, gas) => sum + gas, 0n);
  const dearest = payments.reduce((most, { gas }) => maxBigInt(most, BigInt(gas)), 0n);
  return transactionGas + dataGas(call) + all + dearest / 16n + reserveGas;
}

/** EIP-2028: 16 per byte, as if none were zero. */
function dataGas({ data }: Call): bigint {
  return BigInt((data.length - 2) / 2) * 16n;
}
