import type { ChainWriter, FeeQuote, Funds, Payment } from "../../chains/paying-port.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";

/**
 * What a transaction that makes the first of these payments would cost now, units of the chain's coin; of one that makes none, what
 * moving money among our own addresses costs. Throws `Unavailable` with the node.
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
