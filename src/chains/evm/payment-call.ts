import { type Currency, contractAmong } from "../../currencies/currency.ts";
import { assert } from "../../platform/kernel/assert.ts";
import type { Payment } from "../paying-port.ts";
import type { Call } from "./fee-questions.ts";

/** A payment's call on the chain; `contract` is null for the coin. */
export type PaymentCall = Call & { readonly contract: string | null; readonly payee: string };

/**
 * The coin is sent as value, a token by its `transfer`. The currency must be one of `currencies`, with a contract if it is a
 * token.
 */
export function callOf(
  { destination, amount }: Payment,
  currencies: readonly Currency[],
): PaymentCall {
  const contract = contractAmong(currencies, amount.currency);
  assert(amount.units > 0n, "a payment of nothing");
  const payee = destination.address.toLowerCase();
  if (contract === null)
    return { to: payee, value: amount.units, data: "0x", contract: null, payee };
  return transferCall(contract, payee, amount.units);
}

/** ERC-20 `transfer(address,uint256)`. */
export function transferCall(contract: string, payee: string, units: bigint): PaymentCall {
  const words = [payee.slice(2), units.toString(16)].map((word) => word.padStart(64, "0"));
  return { to: contract, value: 0n, data: `0xa9059cbb${words.join("")}`, contract, payee };
}
