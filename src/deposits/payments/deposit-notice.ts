import { amountText } from "../../currencies/amount-text.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Notice } from "../../notifications/notice.ts";
import type { Deposit } from "../deposit.ts";
import { depositStatus } from "../deposit-status.ts";

/**
 * What members are notified of a deposit's event: that it is paid, or that money of it is on hold. Without a requested amount its status
 * never becomes Paid, so each confirmed payment is notified. Null for all other events.
 */
export function depositNotice(
  trigger: string,
  deposit: Deposit,
  currencies: CurrencyRegistry,
): Notice | null {
  const { status, targetAmountRequested, sums } = deposit;
  const isPaid = trigger === "status" && status === depositStatus.paid;
  const isPayment =
    trigger === "confirmed" && status === depositStatus.created && targetAmountRequested === null;
  const isHeld =
    trigger === "blocked" || (trigger === "status" && status === depositStatus.unresolved);
  if (!isPaid && !isPayment && !isHeld) return null;
  const { accountId, walletId, id, label, walletCurrency } = deposit;
  const named = label === null || label === "" ? `Deposit ${id}` : `Deposit ${id} (${label})`;
  const received = amountText(sums.targetPaid, currencies.get(walletCurrency));
  return {
    audience: { accountId, walletId },
    topic: isHeld ? "on_hold" : "paid",
    content: {
      path: `deposits/${id}`,
      line: isHeld ? `${named}: a payment is on hold` : `${named}: ${received}`,
      about: { object: "deposit", id, label, detail: isHeld ? null : received },
    },
    paidDepositId: isPaid ? id : null,
  };
}
