import {
  assertStoreAdministrator,
  changeStoreSettings,
  getStoreSettings,
  type StoreSettings,
  type StoreSettingsContext,
} from "../../deposits/create/change-deposit-defaults.ts";
import { defineDocument } from "../../platform/resources/define-document.ts";
import { defineResource, type ResourceOf } from "../../platform/resources/define-resource.ts";
import {
  decimal,
  described,
  integer,
  nullable,
  text,
  url,
} from "../../platform/resources/json-schema.ts";
import { getRoute, patchRoute, type Route } from "../server/route.ts";

const below =
  "Shortfall that still counts as paid, when a deposit is created without inaccuracy. The larger of percentage and amount applies";
const above =
  "Overpayment that still counts as paid, when a deposit is created without inaccuracy. The larger of percentage and amount applies";

const storeSettingsDefinition = defineResource({
  type: "store-settings",
  description: "Defaults of the account's deposits, for requests that do not set them.",
  attributes: {
    underpayment_percent: described(
      nullable(decimal),
      `${below}. A shortfall below the payment currency's minimum always does.`,
    ),
    underpayment_amount: described(nullable(decimal), `${below}. In tolerance_currency.`),
    overpayment_percent: described(
      nullable(decimal),
      `${above}. Null without overpayment_amount: 1 %.`,
    ),
    overpayment_amount: described(nullable(decimal), `${above}. In tolerance_currency.`),
    tolerance_currency: described(
      nullable(text),
      "Currency ID of both amounts. They apply to deposits into wallets of this currency.",
    ),
    time_limit: described(
      nullable(integer),
      "Seconds until a Merchant wallet's deposit expires. Null: without limit.",
    ),
    callback_url: described(nullable(url), "Callback URL of deposits. Null: no callbacks."),
  },
});

const settingsDocument = defineDocument({
  type: "store-settings",
  id: "ignored",
  partial: true,
  fields: {
    underpayment_percent: { kind: "Decimal", min: 0 },
    underpayment_amount: { kind: "Decimal", min: 0 },
    overpayment_percent: { kind: "Decimal", min: 0 },
    overpayment_amount: { kind: "Decimal", min: 0 },
    tolerance_currency: { kind: "String", maxLength: 8 },
    time_limit: { kind: "Integer", min: 59, max: 2_592_000 },
    callback_url: { kind: "URL", maxLength: 256 },
  },
});

/** `/store-settings/`: the defaults of the account's deposits, for Owners and Admins. */
export function storeSettingsRoutes(context: StoreSettingsContext): readonly Route[] {
  return [
    getRoute({
      path: "/store-settings/",
      summary: "Get the store settings",
      resource: storeSettingsDefinition,
      find: async ({ principal }) =>
        render(principal.accountId, await getStoreSettings(context, principal)),
    }),
    patchRoute({
      path: "/store-settings/",
      summary: "Update the store settings",
      resource: storeSettingsDefinition,
      document: settingsDocument,
      assertAllowed: assertStoreAdministrator,
      patch: async ({ principal }, input) =>
        render(principal.accountId, await changeStoreSettings(context, principal, input)),
    }),
  ];
}

function render(
  accountId: string,
  settings: StoreSettings,
): ResourceOf<typeof storeSettingsDefinition> {
  return {
    type: "store-settings",
    id: accountId,
    attributes: { ...settings },
    relationships: {},
  };
}
