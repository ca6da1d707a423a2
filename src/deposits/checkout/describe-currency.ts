import { findChain } from "../../currencies/chains.ts";
import type { Currency } from "../../currencies/currency.ts";
import type { CheckoutCurrency } from "./checkout-state.ts";

/** Returns the names of a currency and its chain for a payment page. */
export function describeCurrency(
  currency: Currency,
  simulatedChains: ReadonlySet<string>,
): CheckoutCurrency {
  const chain = currency.chain ?? "";
  return {
    currency: currency.id,
    code: currency.alpha,
    name: currency.name,
    chain,
    chainName: findChain(chain)?.name ?? chain,
    isSimulated: simulatedChains.has(chain),
  };
}
