import { isLate, type Refusal } from "./evm-node.ts";

/** Geth, Erigon and Anvil: 3. Nethermind and its predecessor: -32015. */
const revertCodes = new Set([3, -32015]);
/** Also covers failures other than `revert`: old contracts fail by an invalid opcode. Anvil writes it as one word. */
const revertMessage =
  /\brevert|\binvalid ?(?:fe)?(?:opcode|jump)|\bopcode ?not ?found|\bout ?of ?gas|\bstack ?(?:under|over)flow|\bvm execution error\b/i;

/** Whether the error means that the call itself fails, as opposed to a node that cannot run it now. */
export function isRevert({ code, message }: Refusal): boolean {
  return revertCodes.has(code) || revertMessage.test(message);
}

/** Geth, Erigon and Anvil; the calls name no gas price, so the bound is the node's or the block's, and not the sender's balance. */
const allowanceMessage = /\bgas required exceeds allowance\D{1,4}(\d+)/i;

/** The gas with which the call ran out of gas; null if that is not the error. */
export function allowanceOf({ message }: Refusal): bigint | null {
  const allowance = allowanceMessage.exec(message)?.[1];
  return allowance === undefined ? null : BigInt(allowance);
}

/** The same, or that it takes more gas or time than nodes give it. */
export function isUnrunnable(refusal: Refusal): boolean {
  return isRevert(refusal) || allowanceOf(refusal) !== null || isLate(refusal);
}

const lackMessage = /\binsufficient\b|\bexceeds (?:account )?(?:allowance|balance)\b/i;

/** Whether the error means that the sender lacks funds. */
export function isLackOfMoney({ message }: Refusal): boolean {
  return lackMessage.test(message);
}
