import type { RateList } from "../../currencies/rates/list-rates.ts";
import { rateFilters } from "../../currencies/rates/list-rates.ts";
import { defineResource } from "../../platform/resources/define-resource.ts";
import {
  decimal,
  described,
  integer,
  text,
  timestamp,
} from "../../platform/resources/json-schema.ts";
import { getRoute, listRoute, type Route } from "../server/route.ts";

const rateDefinition = defineResource({
  type: "rate",
  description:
    "The current price of one currency in another. The id consists of the two currency ids: 1000-840 is bitcoin in US dollars.",
  attributes: {
    left: described(text, "Base currency, alphabetic code."),
    right: described(text, "Quote currency, alphabetic code."),
    bid: described(
      decimal,
      "The price at which one unit of the base currency is bought. Deposits are valued at it.",
    ),
    ask: described(decimal, "The price at which one unit of the base currency is sold."),
    exp: described(integer, "Digits after the decimal separator in bid and ask."),
    created_at: described(timestamp, "When the older of the two prices was received."),
    expired_at: described(timestamp, "Until when the rate is current."),
  },
  filters: rateFilters,
  sortable: ["left", "right"],
});

/** `GET /rates/` and `/rates/{pair}/`. */
export function rateRoutes(deps: { readonly rates: RateList }): readonly Route[] {
  return [
    listRoute({
      path: "/rates/",
      summary: "List rates",
      description:
        "Rates of all pairs that have a current price. The filters accept alphabetic codes or ids, separated by commas.",
      resource: rateDefinition,
      list: (_request, query) => deps.rates.list(query),
    }),
    getRoute({
      path: "/rates/{pair}/",
      summary: "Get a rate",
      resource: rateDefinition,
      find: (request) => deps.rates.find(request.params["pair"] ?? ""),
    }),
  ];
}
