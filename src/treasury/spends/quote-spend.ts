import type { ChainWriter, FeeQuote, Funds, Payment } from "../../chains/paying-port.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";

/**
 * The current fee of a transaction that makes the first of these payments, in units of the chain's coin; without payments, of
 * moving money among our own addresses. Rejects with `Unavailable` if the node does not respond.
 */
export function quoteSpend(
  writer: Pick<ChainWriter, "coin" | "quote">,
  { payments, funds }: { readonly payments: readonly Payment[]; readonly funds: Funds },
  signal: AbortSignal,
): Promise<FeeQuote> {
  const payment = payments[0] ?? paymentToOurselves(writer.coin, funds);
  return writer.quote({ payment, funds, balance: payment.amount.units }, signal);
}

function paymentToOurselves(coin: CurrencyId, funds: Funds): Payment {
  const [address, addressType] =
    funds.kind === "coins"
      ? [funds.change.address, funds.change.addressType]
      : [funds.address, null];
  return {
    destination: { address, addressType, tag: null },
    amount: { units: 1n, currency: coin },
  };
}
