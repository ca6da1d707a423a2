import type { AllowlistedPayee } from "../../payouts/create/payee.ts";
import { payeeFilters, payeeSort } from "../../payouts/create/payee-filters.ts";
import { listPayees } from "../../payouts/read-payouts.ts";
import type { Database } from "../../platform/db/database.ts";
import { mapPage } from "../../platform/kernel/list-query.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { defineResource, type ResourceOf } from "../../platform/resources/define-resource.ts";
import {
  boolean,
  described,
  nullable,
  text,
  timestamp,
} from "../../platform/resources/json-schema.ts";
import { listRoute, type Route } from "../server/route.ts";

const payeeResource = defineResource({
  type: "payee",
  description:
    "A destination on the account's allowlist. An account that pays only to its allowlist gets 7001 for any other destination.",
  attributes: {
    chain: text,
    address: text,
    tag: nullable(text),
    label: text,
    is_enforced: described(boolean, "Whether the account pays only to its allowlist."),
    created_at: timestamp,
  },
  filters: payeeFilters,
  sortable: payeeSort,
  defaultSort: "-created_at",
});

/** `GET /payee/`: the allowlist, which /protection-change/ changes. */
export function payeeRoutes({ db }: { readonly db: Database }): readonly Route[] {
  return [
    listRoute({
      path: "/payee/",
      summary: "List payees",
      description:
        "Members change them with /protection-change/, and a second member approves additions; the operator with `sluice payee`.",
      resource: payeeResource,
      list: async ({ principal }, query) =>
        mapPage(await listPayees(db, principal, query), renderPayee),
    }),
  ];
}

function renderPayee(payee: AllowlistedPayee): ResourceOf<typeof payeeResource> {
  return {
    type: "payee",
    id: payee.id,
    attributes: {
      chain: payee.chain,
      address: payee.address,
      tag: payee.tag,
      label: payee.label,
      is_enforced: payee.isEnforced,
      created_at: formatTimestamp(payee.createdAt),
    },
    relationships: {},
  };
}
