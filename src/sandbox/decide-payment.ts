import { walletType } from "../accounts/wallets/wallet.ts";
import type { Currency } from "../currencies/currency.ts";
import type { Deposit } from "../deposits/deposit.ts";
import { depositStatus } from "../deposits/deposit-status.ts";
import { divide } from "../platform/kernel/rounding.ts";
import type { Story } from "./simulator.ts";

/** What a payer does in a story, in its order; or why the story cannot be told of this deposit. */
export type PaymentPlan =
  | {
      readonly kind: "plan";
      /** Paid at first and brought to its count, so that the deposit is over. */
      readonly before: bigint | null;
      /** The deposit is let expire before. */
      readonly expires: boolean;
      readonly currency: Currency;
      /** Null: an amount of another currency, as given, or one whole unit. */
      readonly units: bigint | null;
    }
  | { readonly kind: "refused"; readonly reason: string; readonly field: "amount" | "story" };

/**
 * Decides how a deposit is paid in a story. `amount` in units of `currency`, the deposit's payment currency; null: what fits
 * the story. `other`: another currency of the same chain that can be paid here. Pure.
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
    if (other === null) return refuse("story", "There is nothing else to pay with on this chain.");
    return { kind: "plan", before: null, expires: false, currency: other, units: null };
  }
  if (requested === null) {
    if (amount === null) return refuse("amount", "This deposit asks for no amount: name one.");
    return story === "late" ? lateOrRefused(deposit, amount) : plan(amount);
  }
  const missing = requested - sums.sourcePaid - sums.sourcePaidPending;
  switch (story) {
    case "exact":
      return missing > 0n || amount !== null
        ? plan(amount ?? missing)
        : refuse("story", "Nothing is missing: pay it a second time instead.");
    case "under":
      return missing > 1n
        ? plan(amount ?? divide(missing, 2n, "up"))
        : refuse("story", "Nothing is missing any more.");
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
      return refuse("story", "Only deposits of Merchant wallets end.");
    return plan(units, { expires: status === depositStatus.created });
  }
}
