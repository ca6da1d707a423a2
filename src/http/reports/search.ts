import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Executor } from "../../platform/db/database.ts";
import { mapPage } from "../../platform/kernel/list-query.ts";
import { toOne } from "../../platform/kernel/resource-object.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { defineResource, type ResourceOf } from "../../platform/resources/define-resource.ts";
import { exactText } from "../../platform/resources/filters.ts";
import {
  described,
  integer,
  nullable,
  oneOf,
  text,
  timestamp,
} from "../../platform/resources/json-schema.ts";
import { search } from "../../reports/search/search.ts";
import { type SearchHit, searchedFields, searchedTypes } from "../../reports/search/search-hit.ts";
import { pageOfHits, searchedText } from "../jsonapi/text-search.ts";
import { listRoute, type Route } from "../server/route.ts";

const searchHit = defineResource({
  type: "search-hit",
  description:
    "A deposit, payout or transfer that matches a text; for operators also an unattributed payment.",
  attributes: {
    object_type: oneOf(searchedTypes),
    object_id: text,
    matched: oneOf(searchedFields),
    value: described(text, "The complete value that matched."),
    status: described(
      nullable(integer),
      "Status as on the object itself; null for an unattributed payment.",
    ),
    state: described(nullable(text), "State as on the object itself; null for a transfer."),
    created_at: timestamp,
  },
  relationships: { wallet: { resource: "wallet", nullable: true } },
  filters: { text: exactText(256) },
});

/** `GET /search/?filter[text]=`. */
export function searchRoutes(context: {
  readonly db: Executor;
  readonly currencies: CurrencyRegistry;
}): readonly Route[] {
  return [
    listRoute({
      path: "/search/",
      summary: "Find deposits, payouts and transfers",
      description:
        "filter[text] is a number, a transaction id, the link of a payment page, or the start of a tracking id, label or address, ignoring case. For operators also the tag or the sender of an unattributed payment. At most 20 hits, best first.",
      resource: searchHit,
      list: async ({ principal }, query) => {
        const hits = await search(context, principal, searchedText(query));
        return mapPage(pageOfHits(query, hits), renderHit);
      },
    }),
  ];
}

function renderHit(hit: SearchHit): ResourceOf<typeof searchHit> {
  return {
    type: "search-hit",
    id: `${hit.objectType}-${hit.objectId}`,
    attributes: {
      object_type: hit.objectType,
      object_id: hit.objectId,
      matched: hit.matched,
      value: hit.value,
      status: hit.status,
      state: hit.state,
      created_at: formatTimestamp(hit.createdAt),
    },
    relationships: { wallet: toOne("wallet", hit.walletId) },
  };
}
