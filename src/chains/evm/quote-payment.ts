import { assert } from "../../platform/kernel/assert.ts";
import type { FeeQuote, QuoteRequest } from "../paying-port.ts";
import { readDataFee } from "./data-fee.ts";
import type { EvmDrafting } from "./draft-payment.ts";
import type { GasFees } from "./estimate-fees.ts";
import { callOf } from "./payment-call.ts";
import { quoteGas } from "./quote-gas.ts";

/** A fee above a tenth of the amount counts as large. */
const largeFeeTimes = 10n;

const unpayable = {
  kind: "impossible",
  member: "address",
  reason: "A payment to this address needs more gas than is allowed.",
} as const;

/** The maximum cost of a payment from the account at each level. */
export async function quotePayment(
  { record, node, market, currencies, coin }: Omit<EvmDrafting, "network">,
  { payment, funds, balance }: QuoteRequest,
  signal: AbortSignal,
): Promise<FeeQuote> {
  assert(funds.kind === "account", "an account pays on this chain");
  const call = callOf(payment, currencies);
  const from = funds.address.toLowerCase();
  const { header, limit } = await quoteGas(node, record, from, call, signal);
  const { gas } = limit;
  const levels = await market.levelsAfter(header, signal);
  const dataFee = await readDataFee(node, record, call, gas, signal);
  const fee = ({ maxFeePerGas }: GasFees): bigint => gas * maxFeePerGas + dataFee;
  const fees = { low: fee(levels.low), medium: fee(levels.medium), high: fee(levels.high) };
  const isCoin = payment.amount.currency === coin;
  return {
    ...fees,
    dust: 0n,
    warning: isCoin ? warningOf(fees, payment.amount.units, balance) : null,
    ...(limit.isTooMuch ? { receiver: unpayable } : {}),
  };
}

/**
 * 1 when the fee is large relative to the amount, 3 when the payment leaves a remainder that no later fee can move. Neither
 * applies to tokens, whose fee is in another currency than the amount.
 */
export function warningOf(
  { low, medium }: Pick<FeeQuote, "low" | "medium">,
  units: bigint,
  balance: bigint,
): 1 | 3 | null {
  if (medium * largeFeeTimes > units) return 1;
  const left = balance - units - medium;
  return left > 0n && left < low ? 3 : null;
}
