import type { CurrencyRegistry } from "../../currencies/registry.ts";
import {
  type CalculateContext,
  type CalculationRequest,
  calculatePayout,
} from "../../payouts/create/calculate.ts";
import { calculationResource } from "../../payouts/create/calculation-resource.ts";
import { present } from "../../platform/kernel/assert.ts";
import { Rejected, rejection } from "../../platform/kernel/rejection.ts";
import { type DocumentReading, defineDocument } from "../../platform/resources/define-document.ts";
import { defineResource } from "../../platform/resources/define-resource.ts";
import { boolean, decimal, described, integer } from "../../platform/resources/json-schema.ts";
import { actionRouteWithFaults, type Route } from "../server/route.ts";

const warnings =
  "1: the fee is large. 2: the payout may fail because of a low final balance or a change output that is too small. 3: the remaining balance may be below the smallest fee.";

/** The interface's payout-calculation; refund quotes have the same form. */
export const calculationDefinition = defineResource({
  type: "payout-calculation",
  description: "What a payout would cost now.",
  attributes: {
    is_internal: described(
      boolean,
      "The address belongs to this service: without force_blockchain there is no fee.",
    ),
    fee: {
      type: "object",
      required: ["low", "medium", "high", "dust_amount", "warning", "currency"],
      properties: {
        low: decimal,
        medium: decimal,
        high: decimal,
        dust_amount: described(decimal, "The network does not relay smaller payments."),
        warning: { enum: [1, 2, 3, null], description: warnings },
        currency: described(integer, "The coin in which the fee is paid."),
      },
    },
    commission: {
      type: "object",
      required: ["amount", "currency"],
      properties: { amount: decimal, currency: integer },
    },
  },
});

/** "POST {base_url}/payout/calculate/". */
const calculationDocument = defineDocument({
  type: "payout-calculation",
  missing: "fieldMissing",
  fields: {
    amount: { kind: "Decimal", maxLength: 36, required: true },
    to_address: { kind: "String", maxLength: 128, required: true },
    tag: { kind: "String", maxLength: 64 },
    tag_type: { kind: "String", maxLength: 64 },
    force_blockchain: {
      kind: "Boolean",
      description: "Quote a payment on the chain although the address belongs to this service.",
    },
    wallet: { kind: "Relationship", resource: "wallet", required: true },
    currency: { kind: "Relationship", resource: "currency" },
  },
});

/** `POST /payout/calculate/`: what a payout would cost now. Writes nothing. */
export function payoutCalculationRoutes(context: CalculateContext): readonly Route[] {
  return [
    actionRouteWithFaults({
      path: "/payout/calculate/",
      summary: "Calculate the fees of a payout",
      resource: calculationDefinition,
      document: calculationDocument,
      throttle: "calculate",
      act: async ({ principal }, reading) => {
        const { currencies } = context;
        const question = questionOf(reading, currencies);
        const calculation = await calculatePayout(context, principal, question);
        return { data: calculationResource(calculation, currencies) };
      },
    }),
  ];
}

/** The parsed request. Throws every fault of the document, including an unknown currency. */
function questionOf(
  { values, faults }: DocumentReading<typeof calculationDocument>,
  currencies: CurrencyRegistry,
): CalculationRequest {
  const currencyId = values.currency ?? null;
  const unknown =
    currencyId === null || currencies.find(currencyId) !== null
      ? []
      : [
          rejection("invalidValue", "There is no such currency.", {
            pointer: "/data/relationships/currency",
          }),
        ];
  const [first, ...others] = [...faults, ...unknown];
  if (first !== undefined) throw new Rejected(first, ...others);
  return {
    walletId: present(values.wallet, "a wallet that was read"),
    currencyId,
    amount: present(values.amount, "an amount that was read"),
    toAddress: present(values.to_address, "an address that was read"),
    tag: values.tag ?? null,
    tagType: values.tag_type ?? null,
    forceBlockchain: values.force_blockchain === true,
  };
}
