import type { TravelRuleInfo } from "../../src/payouts/travel-rule/travel-rule.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";

export const ether = "1002" as CurrencyId;

/** Placeholder for the idempotency key and tracking id, which differ in each request. */
export const freshMark = "7b1f6a52-90a3-4c61-8d4e-2f5b0c9d8e77";

export const sampleReceiver: TravelRuleInfo & JsonObject = {
  beneficiary: {
    beneficiaryPersons: [
      {
        naturalPerson: {
          name: [{ nameIdentifier: [{ primaryIdentifier: "Doe", secondaryIdentifier: "Jo" }] }],
          geographicAddress: [
            { country: "DE", addressLine: ["Unter den Linden 1"], addressType: "HOME" },
          ],
        },
      },
    ],
  },
};

export const samplePayout = {
  label: "Withdrawal 4711",
  callbackUrl: "https://shop.example.com/callbacks/crypto?payout=4711",
} as const;

/** The API request for a payout of a coin, with all members that exchanges usually set. */
export function payoutDocument(payout: {
  readonly walletId: string;
  readonly currency: CurrencyId;
  readonly address: string;
  readonly amount: string;
  readonly feeAmount: string;
}): string {
  const related = (type: string, id: string) => ({ data: { type, id } });
  return JSON.stringify({
    data: {
      type: "payout",
      attributes: {
        amount: payout.amount,
        fee_amount: payout.feeAmount,
        address: payout.address,
        label: samplePayout.label,
        tracking_id: freshMark,
        callback_url: samplePayout.callbackUrl,
        travel_rule_info: sampleReceiver,
      },
      relationships: {
        wallet: related("wallet", payout.walletId),
        currency: related("currency", payout.currency),
      },
    },
  });
}

/** The API request for the fee of such a payout. */
export function calculationDocument(payout: {
  readonly walletId: string;
  readonly currency: CurrencyId;
  readonly address: string;
  readonly amount: string;
}): string {
  return JSON.stringify({
    data: {
      type: "payout-calculation",
      attributes: { amount: payout.amount, to_address: payout.address },
      relationships: {
        wallet: { data: { type: "wallet", id: payout.walletId } },
        currency: { data: { type: "currency", id: payout.currency } },
      },
    },
  });
}
