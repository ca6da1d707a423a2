import { amountText } from "../currencies/amount-text.ts";
import type { CurrencyRegistry } from "../currencies/registry.ts";
import type { Notice } from "../notifications/notice.ts";
import type { Payout } from "./payout.ts";

const words = { on_hold: "on hold", approval_waiting: "needs approval" } as const;

/** What members are notified of a payout that waits for a person. */
export function payoutNotice(
  topic: keyof typeof words,
  payout: Payout,
  currencies: CurrencyRegistry,
): Notice {
  const { accountId, walletId, id, label, currency, units } = payout;
  const named = label === null || label === "" ? `Payout ${id}` : `Payout ${id} (${label})`;
  const amount = amountText(units, currencies.get(currency));
  return {
    audience: { accountId, walletId },
    topic,
    content: {
      path: `payouts/${id}`,
      line: `${named}: ${amount}, ${words[topic]}`,
      about: { object: "payout", id, label, detail: amount },
    },
    paidDepositId: null,
  };
}
