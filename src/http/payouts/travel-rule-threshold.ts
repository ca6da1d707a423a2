import {
  listThresholds,
  removeThreshold,
  setThreshold,
  type Threshold,
  type ThresholdContext,
} from "../../payouts/travel-rule/administer-thresholds.ts";
import { formatDecimal } from "../../platform/kernel/decimal.ts";
import { listInMemory } from "../../platform/kernel/list-in-memory.ts";
import { mapPage } from "../../platform/kernel/list-query.ts";
import { toOne } from "../../platform/kernel/resource-object.ts";
import { formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";
import { defineDocument } from "../../platform/resources/define-document.ts";
import { defineResource, type ResourceOf } from "../../platform/resources/define-resource.ts";
import { decimal, described, nullable, timestamp } from "../../platform/resources/json-schema.ts";
import { deleteRoute } from "../server/delete-route.ts";
import { createRoute, listRoute, type Route } from "../server/route.ts";

const thresholdResource = defineResource({
  type: "travel-rule-threshold",
  description:
    "The amount from which payouts and refunds of a currency need travel_rule_info. A currency without one always needs it. The id is the currency's.",
  attributes: {
    amount: described(decimal, "Smaller payouts need no travel-rule data."),
    set_at: described(
      nullable(timestamp),
      "Null: from the configuration; such a threshold can be replaced, not removed.",
    ),
  },
  relationships: { currency: { resource: "currency" } },
});

const thresholdDocument = defineDocument({
  type: "travel-rule-threshold",
  fields: {
    amount: { kind: "Decimal", min: 0, maxLength: 36, required: true },
    currency: { kind: "Relationship", resource: "currency", required: true },
  },
});

const forOperators = "For Owners and Admins of an account that operates the deployment.";

/** `/travel-rule-threshold/`: from which amounts payouts need travel-rule data. */
export function travelRuleThresholdRoutes(context: ThresholdContext): readonly Route[] {
  return [
    listRoute({
      path: "/travel-rule-threshold/",
      summary: "List the travel rule thresholds",
      description: forOperators,
      resource: thresholdResource,
      list: async ({ principal }, query) =>
        mapPage(
          listInMemory(await listThresholds(context, principal), thresholdList, query),
          render,
        ),
    }),
    createRoute({
      path: "/travel-rule-threshold/",
      summary: "Set a travel rule threshold",
      description: `${forOperators} Replaces the currency's threshold by a lower one. A higher one excuses more payouts: ask for it with /protection-change/.`,
      resource: thresholdResource,
      document: thresholdDocument,
      create: async ({ principal }, { amount, currency }) =>
        render(await setThreshold(context, principal, { currencyId: currency, amount })),
    }),
    deleteRoute({
      path: "/travel-rule-threshold/{id}/",
      summary: "Remove a travel rule threshold",
      description: `${forOperators} The configuration's threshold applies again, or none; if that excuses more payouts, ask for it with /protection-change/.`,
      resource: thresholdResource,
      remove: ({ principal, id }) => removeThreshold(context, principal, id),
    }),
  ];
}

const thresholdList = { id: ({ currency }: Threshold) => currency.id, filters: {}, sort: {} };

function render({ currency, units, setAt }: Threshold): ResourceOf<typeof thresholdResource> {
  return {
    type: "travel-rule-threshold",
    id: currency.id,
    attributes: {
      amount: formatDecimal(units, currency.exp),
      set_at: formatTimestampOrNull(setAt),
    },
    relationships: { currency: toOne("currency", currency.id) },
  };
}
