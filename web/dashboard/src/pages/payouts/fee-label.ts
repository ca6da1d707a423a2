import type { Currency, Payout, PayoutApproval } from "../../../../../client/src/api-types.gen.ts";
import { t } from "../../language/t.ts";

/**
 * Where a payout's network fee comes from. A refund pays out what was received: where it can't include the fee, its amount is what is left after
 * the fee. A token's fee is paid in another currency.
 */
export function feeLabel(
  { attributes }: Payout,
  approval: PayoutApproval,
  currency: Currency | undefined,
): string {
  if (attributes.is_fee_included) return t("Network fee (deducted)");
  const isRefund = (approval.attributes.refunded_deposit ?? null) !== null;
  const isToken = (currency?.relationships.parent.data ?? null) !== null;
  return isRefund && !isToken
    ? t("Network fee (deducted from the payment)")
    : t("Network fee (on top)");
}
