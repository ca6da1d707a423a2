import {
  assertMayChangeBeneficiaries,
  type BeneficiaryContext,
  changeBeneficiary,
  createBeneficiary,
  findBeneficiary,
  listBeneficiaries,
  removeBeneficiary,
} from "../../payouts/beneficiaries/administer-beneficiaries.ts";
import { type Beneficiary, openTravelRule } from "../../payouts/beneficiaries/beneficiary.ts";
import {
  beneficiaryPatchDocument,
  newBeneficiaryDocument,
} from "../../payouts/beneficiaries/beneficiary-documents.ts";
import {
  beneficiaryFilters,
  beneficiarySort,
} from "../../payouts/beneficiaries/beneficiary-filters.ts";
import { readTravelRuleField } from "../../payouts/travel-rule/read-travel-rule.ts";
import type { TravelRuleInfo } from "../../payouts/travel-rule/travel-rule.ts";
import type { JsonObject, JsonValue } from "../../platform/kernel/json.ts";
import { mapPage } from "../../platform/kernel/list-query.ts";
import { Rejected } from "../../platform/kernel/rejection.ts";
import { toOne } from "../../platform/kernel/resource-object.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { defineResource, type ResourceOf } from "../../platform/resources/define-resource.ts";
import {
  boolean,
  described,
  nullable,
  text,
  timestamp,
} from "../../platform/resources/json-schema.ts";
import { deleteRoute } from "../server/delete-route.ts";
import {
  type ApiRequest,
  createRouteWithFaults,
  getRoute,
  listRoute,
  patchRoute,
  type Route,
} from "../server/route.ts";

const beneficiaryResource = defineResource({
  type: "beneficiary",
  description:
    "A receiver of payouts: an address and the person who owns it. A beneficiary does not permit payouts; the allowlisted addresses are the account's payees.",
  attributes: {
    name: text,
    chain: described(text, "The beneficiary can be paid in every currency of this chain."),
    address: described(text, "In canonical spelling. The address never changes."),
    tag_type: nullable(text),
    tag: nullable(text),
    has_travel_rule_info: boolean,
    travel_rule_info: described(
      { type: ["object", "null"] },
      "The same object as for a payout. Null in lists and for the role Read only.",
    ),
    may_be_paid: described(
      boolean,
      "False if the account pays only to allowlisted addresses and this is not one.",
    ),
    created_at: timestamp,
    updated_at: timestamp,
  },
  relationships: { currency: { resource: "currency" } },
  filters: beneficiaryFilters,
  sortable: beneficiarySort,
  defaultSort: "name",
});

/** `/beneficiary/`: the receivers that an account pays. */
export function beneficiaryRoutes(context: BeneficiaryContext): readonly Route[] {
  const { db, seal } = context;
  const resource = beneficiaryResource;
  const render = (
    beneficiary: Beneficiary | null,
    { principal }: Pick<ApiRequest, "principal">,
  ): ResourceOf<typeof beneficiaryResource> | null =>
    beneficiary === null
      ? null
      : renderBeneficiary(beneficiary, openTravelRule(beneficiary, principal, seal));
  return [
    listRoute({
      path: "/beneficiary/",
      summary: "List beneficiaries",
      resource,
      list: async ({ principal }, query) =>
        mapPage(await listBeneficiaries(db, principal, query), (beneficiary) =>
          renderBeneficiary(beneficiary, null),
        ),
    }),
    getRoute({
      path: "/beneficiary/{id}/",
      summary: "Get a beneficiary",
      resource,
      find: async (request) =>
        render(await findBeneficiary(db, request.principal, request.id), request),
    }),
    createRouteWithFaults({
      path: "/beneficiary/",
      summary: "Create a beneficiary",
      resource,
      document: newBeneficiaryDocument,
      create: async ({ principal }, reading) => {
        const created = await createBeneficiary(context, principal, reading);
        return { data: renderBeneficiary(created, openTravelRule(created, principal, seal)) };
      },
    }),
    patchRoute({
      path: "/beneficiary/{id}/",
      summary: "Change a beneficiary's name or travel-rule data",
      description:
        "The address cannot be changed, so a known name never leads to another address. Create another beneficiary instead.",
      resource,
      document: beneficiaryPatchDocument,
      assertAllowed: assertMayChangeBeneficiaries,
      patch: async (request, { name, travel_rule_info: info }) =>
        render(
          await changeBeneficiary(context, request.principal, request.id, {
            name,
            travelRule: readChange(info),
          }),
          request,
        ),
    }),
    deleteRoute({
      path: "/beneficiary/{id}/",
      summary: "Remove a beneficiary",
      description: "Existing payouts do not change.",
      resource,
      remove: ({ principal, id }) => removeBeneficiary(context, principal, id),
    }),
  ];
}

function readChange(value: JsonValue | undefined): TravelRuleInfo | null | undefined {
  if (value === undefined) return undefined;
  const { info, faults } = readTravelRuleField(value);
  const [first, ...others] = faults;
  if (first !== undefined) throw new Rejected(first, ...others);
  return info;
}

function renderBeneficiary(
  beneficiary: Beneficiary,
  travelRule: JsonObject | null,
): ResourceOf<typeof beneficiaryResource> {
  return {
    type: "beneficiary",
    id: beneficiary.id,
    attributes: {
      name: beneficiary.name,
      chain: beneficiary.chain,
      address: beneficiary.address,
      tag_type: beneficiary.tagType,
      tag: beneficiary.tag,
      has_travel_rule_info: beneficiary.travelRuleSealed !== null,
      travel_rule_info: travelRule,
      may_be_paid: beneficiary.mayBePaid,
      created_at: formatTimestamp(beneficiary.createdAt),
      updated_at: formatTimestamp(beneficiary.updatedAt),
    },
    relationships: { currency: toOne("currency", beneficiary.currency) },
  };
}
