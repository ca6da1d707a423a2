import {
  assertMayChangeSettings,
  changeStoreSettings,
  getStoreSettings,
  type StoreSettingsContext,
} from "../../deposits/storefront/change-store-settings.ts";
import type { StoreSettings } from "../../deposits/storefront/store-settings.ts";
import { defineDocument } from "../../platform/resources/define-document.ts";
import { defineResource, type ResourceOf } from "../../platform/resources/define-resource.ts";
import {
  boolean,
  decimal,
  described,
  givenUrl,
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

const origins = {
  type: "array",
  items: { type: "string" },
  description:
    "Origins that may embed the payment pages: https, or http on localhost. Empty: none.",
} as const;

const storeSettingsDefinition = defineResource({
  type: "store-settings",
  description:
    "The account's payment pages, the defaults of its deposits, for requests that do not set them, how its payouts are sent, and the currency of its accounting.",
  attributes: {
    shop_name: described(nullable(text), "Store name on the payment pages; null without one."),
    help_email: described(
      nullable(text),
      "Help address for payers of deposits without their own help address.",
    ),
    logo: described(nullable(url), "Address of the store's logo; null without one."),
    accent_color: described(
      nullable(text),
      "Color of links and buttons on the payment pages, as #rrggbb. Null: the built-in color.",
    ),
    accent_color_dark: described(
      nullable(text),
      "The same in dark mode. Null: accent_color, lightened until it is readable.",
    ),
    frame_ancestors: origins,
    shows_order_reference: described(
      boolean,
      "Whether the payment pages of Merchant wallets show the tracking ID.",
    ),
    shows_receipt: described(boolean, "Whether the payment page shows a receipt once it is paid."),
    receipt_note: described(
      nullable(text),
      "Text on the receipt, such as the store's address and tax number.",
    ),
    payment_page_redirect_url: described(
      nullable(givenUrl),
      "Return URL of payment pages, for deposits that do not set one.",
    ),
    payment_page_button_text: described(
      nullable(text),
      "Text of the button that opens the return URL, for deposits that set neither.",
    ),
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
    payout_batch_seconds: described(
      integer,
      "Seconds that a payout may wait for others to share a transaction with, on chains where one transaction pays several receivers. With 0, only payouts that wait at the same moment share one.",
    ),
    fiat_currency: described(
      text,
      "ID of the fiat currency in which new payments and payouts are valued. Default: 840 (US dollar).",
    ),
  },
});

const settingsDocument = defineDocument({
  type: "store-settings",
  id: "ignored",
  partial: true,
  fields: {
    shop_name: { kind: "String", maxLength: 64 },
    help_email: { kind: "String", maxLength: 64 },
    logo: {
      kind: "String",
      maxLength: 54_000,
      description: "A PNG, JPEG or WebP image of at most 40,000 bytes as a data URL.",
    },
    accent_color: { kind: "String", maxLength: 7 },
    accent_color_dark: { kind: "String", maxLength: 7 },
    frame_ancestors: { kind: "Field", schema: origins },
    shows_order_reference: { kind: "Boolean" },
    shows_receipt: { kind: "Boolean" },
    receipt_note: { kind: "String", maxLength: 500 },
    payment_page_redirect_url: { kind: "URL", maxLength: 2048 },
    payment_page_button_text: { kind: "String", maxLength: 64 },
    underpayment_percent: { kind: "Decimal", min: 0 },
    underpayment_amount: { kind: "Decimal", min: 0 },
    overpayment_percent: { kind: "Decimal", min: 0 },
    overpayment_amount: { kind: "Decimal", min: 0 },
    tolerance_currency: { kind: "String", maxLength: 8 },
    time_limit: { kind: "Integer", min: 59, max: 2_592_000 },
    callback_url: { kind: "URL", maxLength: 256 },
    payout_batch_seconds: { kind: "Integer", min: 0, max: 3600 },
    fiat_currency: { kind: "String", maxLength: 8 },
  },
});

/** `/store-settings/`: the account's payment pages and the defaults of its deposits. Owners and Admins read them; those who see all wallets change them. */
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
      description: "For Owners and Admins who see all wallets.",
      resource: storeSettingsDefinition,
      document: settingsDocument,
      assertAllowed: assertMayChangeSettings,
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
    attributes: { ...settings, frame_ancestors: [...settings.frame_ancestors] },
    relationships: {},
  };
}
