import { type FiatPrice, worthInFiat } from "../currencies/rates/fiat-price.ts";
import type { CurrencyRegistry } from "../currencies/registry.ts";
import type { Notice } from "../notifications/notice.ts";
import { statedAmount } from "../notifications/stated-amount.ts";
import type { Payout } from "./payout.ts";

/**
 * What members are notified of a payout that failed or waits for a person: for its approval, or held by screening or policy. `price` is the payment
 * currency's in the account's fiat currency; null: what the wallet was charged counts. `recipient` is the receiver's name, and `by` the
 * name of the member who asks for an approval; null without one.
 */
export function payoutNotice(
  kind: "payout_held" | "payout_failed" | "payout_approval",
  payout: Payout,
  price: FiatPrice | null,
  { recipient, by }: { readonly recipient: string | null; readonly by: string | null },
  currencies: CurrencyRegistry,
): Notice {
  const { accountId, walletId, id, label, trackingId, units, address, tag } = payout;
  const currency = currencies.get(payout.currency);
  const valued = price ?? { currency: payout.walletCurrency, rate: payout.rate };
  const worth =
    valued.currency === payout.currency
      ? null
      : statedAmount(
          worthInFiat(units, currency, valued, currencies),
          currencies.get(valued.currency),
        );
  const amount = statedAmount(units, currency);
  return {
    audience: {
      accountId,
      walletId,
      exceptMemberId: kind === "payout_approval" ? payout.createdByMemberId : null,
    },
    event: { kind, id, label, trackingId, amount, worth, recipient, address, tag, by },
    paidDepositId: null,
  };
}
