import {
  checkRequirements,
  type RequirementsContext,
} from "../../payouts/create/check-requirements.ts";
import { formatDecimal } from "../../platform/kernel/decimal.ts";
import { defineDocument } from "../../platform/resources/define-document.ts";
import { defineResource } from "../../platform/resources/define-resource.ts";
import { boolean, decimal, described, nullable } from "../../platform/resources/json-schema.ts";
import { actionRoute, type Route } from "../server/route.ts";

const requirementsDefinition = defineResource({
  type: "payout-requirements",
  description: "What a payout of an amount would need besides funds, if it were created now.",
  attributes: {
    needs_approval: described(
      boolean,
      "The payout would wait for another member's approval: because of the caller's role, or because it exceeds a limit.",
    ),
    needs_travel_rule: described(
      boolean,
      "travel_rule_info must name the receiver. False: the amount is below the currency's threshold.",
    ),
    travel_rule_from: described(
      nullable(decimal),
      "The amount from which payouts of the currency need travel_rule_info. Null: payouts of any amount do.",
    ),
    amount_after_commission: described(
      decimal,
      "The largest amount that, together with its commission, costs no more than the given amount.",
    ),
  },
});

const requirementsDocument = defineDocument({
  type: "payout-requirements",
  fields: {
    amount: { kind: "Decimal", maxLength: 36, required: true },
    wallet: { kind: "Relationship", resource: "wallet", required: true },
    currency: { kind: "Relationship", resource: "currency", required: true },
  },
});

/** `POST /payout/requirements/`: what a payout would need. Writes nothing. */
export function payoutRequirementsRoutes(context: RequirementsContext): readonly Route[] {
  return [
    actionRoute({
      path: "/payout/requirements/",
      summary: "Check what a payout needs",
      description:
        "Whether a payout of this amount would wait for approval, and whether it needs travel-rule data. Writes nothing and reserves nothing.",
      resource: requirementsDefinition,
      document: requirementsDocument,
      throttle: "calculate",
      act: async ({ principal }, { amount, wallet, currency }) => {
        const requirements = await checkRequirements(context, principal, {
          walletId: wallet,
          currencyId: currency,
          amount,
        });
        const { exp } = context.currencies.get(requirements.afterCommission.currency);
        const from = requirements.travelRuleFrom;
        return {
          type: "payout-requirements",
          id: "0",
          attributes: {
            needs_approval: requirements.needsApproval,
            needs_travel_rule: requirements.needsTravelRule,
            travel_rule_from: from === null ? null : formatDecimal(from.units, exp),
            amount_after_commission: formatDecimal(requirements.afterCommission.units, exp),
          },
          relationships: {},
        };
      },
    }),
  ];
}
