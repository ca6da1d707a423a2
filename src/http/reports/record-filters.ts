import { walletTypes } from "../../accounts/wallets/wallet.ts";
import type { FilterDefinition } from "../../platform/resources/filters.ts";
import {
  containedText,
  decimalNumber,
  exactText,
  timeBound,
  wholeNumber,
} from "../../platform/resources/filters.ts";

/**
 * The filters that the interface lists for deposits and payouts; the two that differ are passed in. Some do not apply to payouts
 * and match none.
 */
export function recordFilters({
  address,
  status,
}: Readonly<Record<"address" | "status", FilterDefinition>>) {
  return {
    currency: wholeNumber(8),
    wallet: { lookup: "exact" },
    wallet_from: exactText(64),
    wallet_to: exactText(64),
    wallet_type: { lookup: "exact", choices: walletTypes },
    id: wholeNumber(8),
    created_at_from: timeBound(),
    created_at_to: timeBound(),
    updated_at_from: timeBound(),
    updated_at_to: timeBound(),
    label: containedText(32),
    tracking_id: containedText(128),
    commission: decimalNumber(32),
    address,
    confirmations_needed: wholeNumber(2),
    help_email: exactText(64),
    status,
    time_limit: wholeNumber(8),
    inaccuracy: containedText(32),
    target_amount_requested: exactText(32),
    rate_requested: exactText(32),
    expired_at_from: timeBound(64),
    expired_at_to: timeBound(64),
    target_paid: exactText(64),
    enrolled: exactText(64),
    target_paid_pending: exactText(64),
    source_paid_pending: exactText(64),
    source_paid: exactText(64),
    source_commission: exactText(64),
    source_amount_requested: exactText(64),
  } as const satisfies Readonly<Record<string, FilterDefinition>>;
}
