import { walletType } from "../accounts/wallets/wallet.ts";
import type { Currency } from "../currencies/currency.ts";
import type { Deposit } from "../deposits/deposit.ts";
import { depositStatus } from "../deposits/deposit-status.ts";
import { divide } from "../platform/kernel/rounding.ts";
import type { Story } from "./simulator.ts";

/** What the payer does in a scenario, or why the scenario does not apply to the deposit. */
export type PaymentPlan =
  | {
      readonly kind: "plan";
      /** Paid first and confirmed, so that the deposit is settled before the scenario's payment. */
      readonly before: bigint | null;
      /** Expire the deposit before paying. */
      readonly expires: boolean;
      readonly currency: Currency;
      /** Null: an amount of another currency, as given, or one whole unit. */
      readonly units: bigint | null;
    }
  | { readonly kind: "refused"; readonly reason: string; readonly field: "amount" | "story" };

/**
 * Decides how a deposit is paid in a scenario. `amount` is in units of `currency`, the deposit's payment currency; null for
 * the scenario's own amount. `other` is another currency of the same chain. Pure.
 */
export function decidePayment(
  deposit: Pick<
    Deposit,
    "status" | "walletType" | "sourceAmountRequested" | "sums" | "expiryConcludedAt"
  >,
  story: Story,
  currency: Currency,
  other: Currency | null,
  amount: bigint | null,
): PaymentPlan {
  const { sourceAmountRequested: requested, sums } = deposit;
  const plan = (units: bigint, more: { before?: bigint; expires?: boolean } = {}): PaymentPlan => ({
    kind: "plan",
    before: more.before ?? null,
    expires: more.expires ?? false,
    currency,
    units,
  });
  const refuse = (field: "amount" | "story", reason: string): PaymentPlan => ({
    kind: "refused",
    field,
    reason,
  });
  if (story === "wrong_token") {
    if (other === null) return refuse("story", "This chain has no other currency to pay with.");
    return { kind: "plan", before: null, expires: false, currency: other, units: null };
  }
  if (requested === null) {
    if (amount === null) return refuse("amount", "This deposit requests no amount. Enter one.");
    return story === "late" ? lateOrRefused(deposit, amount) : plan(amount);
  }
  const missing = requested - sums.sourcePaid - sums.sourcePaidPending;
  switch (story) {
    case "exact":
      return missing > 0n || amount !== null
        ? plan(amount ?? missing)
        : refuse("story", 'The deposit is fully paid. Choose "Pay twice" instead.');
    case "under":
      return missing > 1n
        ? plan(amount ?? divide(missing, 2n, "up"))
        : refuse("story", "The deposit is fully paid.");
    case "over":
      return plan(amount ?? (missing > 0n ? missing : 0n) + divide(requested, 2n, "up"));
    case "late":
      return lateOrRefused(deposit, amount ?? (missing > 0n ? missing : requested));
    case "second":
      return deposit.status === depositStatus.created && missing > 0n
        ? plan(amount ?? requested, { before: missing })
        : plan(amount ?? requested);
  }

  function lateOrRefused({ status, walletType: type }: typeof deposit, units: bigint): PaymentPlan {
    if (type !== walletType.merchant)
      return refuse("story", "Only deposits of Merchant wallets expire.");
    return plan(units, { expires: status === depositStatus.created });
  }
}
