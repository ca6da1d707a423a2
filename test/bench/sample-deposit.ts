import type { NewDeposit } from "../../src/deposits/create/insert-deposits.store.ts";
import { addSeconds } from "../../src/platform/kernel/clock.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import type { Tenant } from "./deployment.ts";

export const dollar = "840" as CurrencyId;
export const bitcoinCurrency = "1000" as CurrencyId;
/** The amount requested by the sample deposit, in satoshi. */
export const sampleUnits = 249_834n;
const keyspace = "BTC";

/** A shop's deposit in dollars, paid in bitcoin, with all members that shops usually set. */
export function sampleDeposit({ principal }: Tenant, walletId: string): NewDeposit {
  const now = systemClock.now();
  return {
    accountId: principal.accountId,
    createdByCredentialId: principal.credentialId,
    paymentPageId: systemRandom.uuid(),
    walletId,
    walletType: 1,
    walletCurrency: dollar,
    currency: bitcoinCurrency,
    chain: keyspace,
    isActive: true,
    keyspace,
    addressType: "bech32",
    label: "Order 4711",
    trackingId: "shop-7/order-4711/2026-02-03",
    confirmationsNeeded: 2,
    timeLimit: 3600,
    invoiceUpdatedAt: now,
    expiresAt: addSeconds(now, 3600),
    callbackUrl: "https://shop.example.com/callbacks/crypto?order=4711",
    paymentPageRedirectUrl: "https://shop.example.com/orders/4711/thanks",
    paymentPageButtonText: "Back to the shop",
    description: null,
    paymentLinkId: null,
    helpEmail: null,
    inaccuracy: 50n,
    toleranceBelow: null,
    toleranceAbove: null,
    targetAmountRequested: 14_990n,
    rate: { units: 600_000_000n, exp: 4 },
    rateExpiresAt: addSeconds(now, 900),
    sourceAmountRequested: sampleUnits,
    commissionTerms: { ratePpm: 0, fixedUnits: 0n, minimumUnits: 0n },
    travelRuleSealed: null,
    createdAt: now,
  };
}

/** The same as an API request. */
export function sampleDocument(walletId: string): string {
  return JSON.stringify({
    data: {
      type: "deposit",
      attributes: {
        label: "Order 4711",
        tracking_id: "shop-7/order-4711/2026-02-03",
        confirmations_needed: 2,
        callback_url: "https://shop.example.com/callbacks/crypto?order=4711",
        payment_page_redirect_url: "https://shop.example.com/orders/4711/thanks",
        payment_page_button_text: "Back to the shop",
        target_amount_requested: "149.90",
        inaccuracy: "0.50",
        time_limit: 3600,
      },
      relationships: {
        wallet: { data: { type: "wallet", id: walletId } },
        currency: { data: { type: "currency", id: bitcoinCurrency } },
      },
    },
  });
}
