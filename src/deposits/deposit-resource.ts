import { walletType } from "../accounts/wallets/wallet.ts";
import type { CurrencyRegistry } from "../currencies/registry.ts";
import { formatDecimal } from "../platform/kernel/decimal.ts";
import { formatTimestamp, formatTimestampOrNull } from "../platform/kernel/timestamp.ts";
import type { Deposit } from "./deposit.ts";

/** A deposit as the wire shows it, in answers and as `data` of callbacks: every attribute, never travel-rule data. */
export function depositResource(
  deposit: Deposit,
  currencies: CurrencyRegistry,
  settings: { readonly baseUrl: string },
) {
  const walletCurrency = currencies.get(deposit.walletCurrency);
  const target = (units: bigint): string => formatDecimal(units, walletCurrency.exp);
  const isMerchant = deposit.walletType === walletType.merchant;
  return {
    type: "deposit",
    id: deposit.id,
    attributes: {
      status: deposit.status,
      is_active: deposit.isActive,
      address: deposit.address,
      address_type: deposit.addressType,
      label: deposit.label,
      tracking_id: deposit.trackingId,
      confirmations_needed: deposit.confirmationsNeeded,
      time_limit: deposit.timeLimit,
      callback_url: deposit.callbackUrl,
      inaccuracy: deposit.inaccuracy === null ? null : target(deposit.inaccuracy),
      target_amount_requested:
        deposit.targetAmountRequested === null ? null : target(deposit.targetAmountRequested),
      rate_requested: rateText(deposit),
      rate_expired_at: formatTimestampOrNull(deposit.rateExpiresAt),
      invoice_updated_at: formatTimestampOrNull(deposit.invoiceUpdatedAt),
      payment_page: `${settings.baseUrl}/pay/${deposit.paymentPageId}`,
      target_paid: target(deposit.sums.targetPaid),
      source_amount_requested: isMerchant ? sourceAmountText(deposit, currencies) : null,
      target_paid_pending: target(deposit.sums.targetPaidPending),
      assets: Object.fromEntries(
        Object.entries(deposit.assets).map(([id, units]) => {
          const currency = currencies.get(id);
          return [currency.alpha, formatDecimal(units, currency.exp)];
        }),
      ),
      destination:
        deposit.address === null
          ? null
          : {
              address_type: deposit.addressType === "" ? null : deposit.addressType,
              address: deposit.address,
            },
      payment_page_redirect_url: deposit.paymentPageRedirectUrl,
      payment_page_button_text: deposit.paymentPageButtonText,
      created_at: formatTimestamp(deposit.createdAt),
    },
    relationships: {
      currency: {
        data:
          deposit.currency === null ? null : { type: "currency", id: deposit.currency as string },
      },
      wallet: { data: { type: "wallet", id: deposit.walletId } },
    },
  } as const;
}

/** "1 if the currencies are equal"; null until a payment currency is chosen. */
function rateText(deposit: Deposit): string | null {
  if (deposit.currency === deposit.walletCurrency) return "1";
  return deposit.rate === null ? null : formatDecimal(deposit.rate.units, deposit.rate.exp);
}

function sourceAmountText(deposit: Deposit, currencies: CurrencyRegistry): string | null {
  if (deposit.currency === null || deposit.sourceAmountRequested === null) return null;
  return formatDecimal(deposit.sourceAmountRequested, currencies.get(deposit.currency).exp);
}
