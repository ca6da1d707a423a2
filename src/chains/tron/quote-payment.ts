import { assert } from "../../platform/kernel/assert.ts";
import type { FeeQuote, QuoteRequest } from "../paying-port.ts";
import { accountAt } from "./account.ts";
import { callOf, type TronDrafting } from "./draft-payment.ts";
import { currentPrices, type Prices, simulatedTransfer } from "./pay-questions.ts";
import { type Cost, tokenCost, transferCost } from "./payment-cost.ts";
import type { AskTron } from "./tron-node.ts";

/** A fee above a tenth of the amount counts as large. */
const largeFeeTimes = 10n;
/** The assumed energy of a transfer that cannot be simulated: what Tether's contract uses for a receiver without a balance. */
const unsimulated = { energy: 131_000n, penalty: 0n };

/**
 * The cost of a payment from the account. The chain has no fee market: for coin, the three levels are the same, and exact. For
 * tokens, the highest one is what a failing transfer may burn. What the account's own bandwidth and energy save goes to the
 * operator.
 */
export async function quotePayment(
  drafting: Omit<TronDrafting, "nextTimestamp">,
  { payment, funds }: QuoteRequest,
  signal: AbortSignal,
): Promise<FeeQuote> {
  assert(funds.kind === "account", "an account pays on this chain");
  const call = callOf(drafting, funds.address, payment);
  const { expected, most } = await drafting.node.consult(
    async (ask) => costOf(ask, await ask(currentPrices), call),
    signal,
  );
  const isLarge = call.type === "transfer" && expected * largeFeeTimes > call.units;
  return { low: expected, medium: expected, high: most, dust: 0n, warning: isLarge ? 1 : null };
}

async function costOf(
  ask: AskTron,
  prices: Prices,
  call: ReturnType<typeof callOf>,
): Promise<Cost> {
  if (call.type === "transfer")
    return transferCost(call, prices, (await ask(accountAt("wallet", call.to))) === null);
  const simulation = await ask(simulatedTransfer(call));
  // The account may lack what the wallet has: other payouts are waiting, or deposits have not been swept yet.
  return tokenCost(call, prices, simulation.kind === "succeeds" ? simulation : unsimulated);
}
