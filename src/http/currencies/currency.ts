import { currencyResource } from "../../currencies/currency-resource.ts";
import type { CurrencyList } from "../../currencies/list-currencies.ts";
import { currencyFilters } from "../../currencies/list-currencies.ts";
import { mapPage } from "../../platform/kernel/list-query.ts";
import { defineResource } from "../../platform/resources/define-resource.ts";
import {
  decimal,
  described,
  integer,
  nullable,
  text,
} from "../../platform/resources/json-schema.ts";
import type { Loader } from "../jsonapi/compose-document.ts";
import { getRoute, listRoute, type Route } from "../server/route.ts";

const currencyDefinition = defineResource({
  type: "currency",
  description: "A coin, a token or a fiat unit of account. Its id is its ISO code.",
  attributes: {
    iso: described(integer, "The ISO 4217 number, or the service's own number above that range."),
    name: text,
    alpha: described(text, "Alphabetic code."),
    alias: described(nullable(text), "Another code of the currency."),
    exp: described(integer, "Digits after the decimal separator."),
    confirmation_blocks: described(integer, "Confirmations after which funds are available."),
    minimal_transfer_amount: described(decimal, "Smaller payments are recorded as dust."),
    block_delay: described({ type: "number" }, "Seconds between two blocks."),
    blockchain_name: described(nullable(text), "Null for fiat."),
    tags: {
      type: "array",
      items: { type: "string" },
      description: "Kind of money and what a payer must add: stablecoin, memo, ...",
    },
  },
  relationships: {
    parent: {
      resource: "currency",
      nullable: true,
      description: "The coin in which a token's fees are paid.",
    },
  },
  filters: currencyFilters,
  sortable: ["iso", "alpha", "name"],
});

/** `GET /currency/` and `/currency/{id}/`. */
export function currencyRoutes({
  currencies,
}: {
  readonly currencies: CurrencyList;
}): readonly Route[] {
  return [
    listRoute({
      path: "/currency/",
      summary: "List currencies",
      description: "`filter[is_available]=true` returns the currencies that you can use now.",
      resource: currencyDefinition,
      list: async ({ principal }, query) =>
        mapPage(await currencies.list(principal.accountId, query), currencyResource),
    }),
    getRoute({
      path: "/currency/{id}/",
      summary: "Get a currency",
      resource: currencyDefinition,
      find: ({ id }) => Promise.resolve(currencies.find([id]).map(currencyResource)[0] ?? null),
    }),
  ];
}

/** Loads currencies for `include`. */
export function currencyLoader({ currencies }: { readonly currencies: CurrencyList }): Loader {
  return {
    resource: currencyDefinition,
    load: (ids) => Promise.resolve(currencies.find(ids).map(currencyResource)),
  };
}
