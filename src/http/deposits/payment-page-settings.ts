import {
  assertPageAdministrator,
  changePageSettings,
  getPageSettings,
} from "../../deposits/checkout/change-page-settings.ts";
import type { PageSettings } from "../../deposits/checkout/page-settings.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { defineDocument } from "../../platform/resources/define-document.ts";
import { defineResource, type ResourceOf } from "../../platform/resources/define-resource.ts";
import { getRoute, patchRoute, type Route } from "../server/route.ts";

const origins = {
  type: "array",
  items: { type: "string" },
  description: "https origins that may embed the payment pages in a frame. Empty: none.",
} as const;

const pageSettingsDefinition = defineResource({
  type: "payment-page-settings",
  description: "Settings of the account's payment pages.",
  attributes: {
    shop_name: {
      type: ["string", "null"],
      description: "Store name on the payment pages. Null if there is none.",
    },
    help_email: {
      type: ["string", "null"],
      description: "Help address for payers of deposits without their own help address.",
    },
    frame_ancestors: origins,
  },
});

const settingsDocument = defineDocument({
  type: "payment-page-settings",
  id: "ignored",
  partial: true,
  fields: {
    shop_name: { kind: "String", maxLength: 64 },
    help_email: { kind: "String", maxLength: 64 },
    frame_ancestors: { kind: "Field", schema: origins },
  },
});

/** `/payment-page/`: the account's payment page settings, for Owners and Admins. */
export function paymentPageSettingsRoutes(context: {
  readonly db: Database;
  readonly clock: Clock;
}): readonly Route[] {
  return [
    getRoute({
      path: "/payment-page/",
      summary: "Get the payment page settings",
      resource: pageSettingsDefinition,
      find: async ({ principal }) =>
        render(principal.accountId, await getPageSettings(context.db, principal)),
    }),
    patchRoute({
      path: "/payment-page/",
      summary: "Update the payment page settings",
      resource: pageSettingsDefinition,
      document: settingsDocument,
      assertAllowed: assertPageAdministrator,
      patch: async ({ principal }, input) => {
        const changed = await changePageSettings(context, principal, {
          shopName: input.shop_name,
          helpEmail: input.help_email,
          frameAncestors: input.frame_ancestors,
        });
        return render(principal.accountId, changed);
      },
    }),
  ];
}

function render(
  accountId: string,
  { shopName, helpEmail, frameAncestors }: PageSettings,
): ResourceOf<typeof pageSettingsDefinition> {
  return {
    type: "payment-page-settings",
    id: accountId,
    attributes: {
      shop_name: shopName,
      help_email: helpEmail,
      frame_ancestors: [...frameAncestors],
    },
    relationships: {},
  };
}
