import {
  assertLinkAdministrator,
  changePaymentLink,
  createPaymentLink,
  findPaymentLink,
  type LinkContext,
  listPaymentLinks,
} from "../../deposits/links/administer-payment-links.ts";
import {
  amountTypes,
  linkPath,
  linkStates,
  type PaymentLink,
  stateOfLink,
} from "../../deposits/links/payment-link.ts";
import { linkFilters, linkSort } from "../../deposits/links/payment-link-filters.ts";
import { renderTerms } from "../../deposits/links/read-link-terms.ts";
import { mapPage } from "../../platform/kernel/list-query.ts";
import { toOne } from "../../platform/kernel/resource-object.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
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
  timestamp,
  url,
} from "../../platform/resources/json-schema.ts";
import { createRoute, getRoute, listRoute, patchRoute, type Route } from "../server/route.ts";

const linkResource = defineResource({
  type: "payment-link",
  description:
    "A reusable public link. Each visitor who pays gets a deposit of their own, into the link's Merchant wallet.",
  attributes: {
    name: described(text, "What is paid for; the title of the page and the label of its deposits."),
    description: described(nullable(text), "Shown below the name."),
    image: described(nullable(url), "Address of a picture; null without one."),
    amount_type: described(
      { type: "string", enum: amountTypes },
      "fixed: amount. chosen: the payer enters an amount. open: any amount is credited.",
    ),
    amount: described(nullable(decimal), "For fixed, in the wallet's currency."),
    amount_min: described(nullable(decimal), "For chosen: the smallest amount."),
    amount_max: described(nullable(decimal), "For chosen: the largest amount."),
    stock: described(
      nullable(integer),
      "How many payments the link takes. Each deposit that is not canceled counts. Null: any number.",
    ),
    ends_at: described(nullable(timestamp), "When the link stops taking payments."),
    is_active: described(boolean, "False: the link takes no payments."),
    time_limit: described(
      nullable(integer),
      "Seconds until a deposit of the link expires. Null: the account's default; with stock, an hour.",
    ),
    callback_url: described(nullable(url), "Null: the account's default."),
    payment_page_redirect_url: described(nullable(givenUrl), "Null: the account's default."),
    url: described(url, "The public page."),
    state: described(
      { type: "string", enum: linkStates },
      "active, or why the link takes no payments.",
    ),
    deposit_count: described(integer, "Deposits that are not canceled."),
    paid_count: described(integer, "Deposits that are paid."),
    created_at: timestamp,
    updated_at: timestamp,
  },
  relationships: { wallet: { resource: "wallet" } },
  filters: linkFilters,
  sortable: linkSort,
  defaultSort: "-created_at",
});

const terms = {
  description: { kind: "String", maxLength: 256 },
  image: {
    kind: "String",
    maxLength: 54_000,
    description: "A PNG, JPEG or WebP image of at most 40,000 bytes as a data URL.",
  },
  amount_type: {
    kind: "Choice",
    choices: amountTypes.map((value) => ({ value, name: value })),
    description: "Default: fixed.",
  },
  amount: { kind: "Decimal", maxLength: 36 },
  amount_min: { kind: "Decimal", maxLength: 36 },
  amount_max: { kind: "Decimal", maxLength: 36 },
  stock: { kind: "Integer", min: 0, max: 1_000_000 },
  ends_at: { kind: "String", maxLength: 32 },
  is_active: { kind: "Boolean" },
  time_limit: { kind: "Integer", min: 59, max: 2_592_000 },
  callback_url: { kind: "URL", maxLength: 256 },
  payment_page_redirect_url: { kind: "URL", maxLength: 2048 },
} as const;

const newLinkDocument = defineDocument({
  type: "payment-link",
  fields: {
    name: { kind: "String", maxLength: 64, required: true },
    ...terms,
    wallet: { kind: "Relationship", resource: "wallet", required: true },
  },
});

const linkPatchDocument = defineDocument({
  type: "payment-link",
  partial: true,
  fields: { name: { kind: "String", maxLength: 64, required: true }, ...terms },
});

/** `/payment-link/`: links that create a deposit per payment, for Owners and Admins. */
export function paymentLinkRoutes(context: LinkContext): readonly Route[] {
  const resource = linkResource;
  const render = (link: PaymentLink) => renderLink(link, context);
  const renderOrNull = (link: PaymentLink | null) => (link === null ? null : render(link));
  return [
    listRoute({
      path: "/payment-link/",
      summary: "List payment links",
      resource,
      list: async ({ principal }, query) =>
        mapPage(await listPaymentLinks(context.db, principal, query), render),
    }),
    getRoute({
      path: "/payment-link/{id}/",
      summary: "Get a payment link",
      resource,
      find: async ({ principal, id }) =>
        renderOrNull(await findPaymentLink(context.db, principal, id)),
    }),
    createRoute({
      path: "/payment-link/",
      summary: "Create a payment link",
      resource,
      document: newLinkDocument,
      assertAllowed: assertLinkAdministrator,
      create: async ({ principal }, { wallet, ...input }) =>
        render(await createPaymentLink(context, principal, wallet, input)),
    }),
    patchRoute({
      path: "/payment-link/{id}/",
      summary: "Update a payment link",
      description:
        "Deposits that exist keep their terms. Switch a link off with is_active; links are kept, because deposits refer to them.",
      resource,
      document: linkPatchDocument,
      assertAllowed: assertLinkAdministrator,
      patch: async ({ principal, id }, input) =>
        renderOrNull(await changePaymentLink(context, principal, id, input)),
    }),
  ];
}

function renderLink(
  link: PaymentLink,
  { currencies, baseUrl, clock }: Pick<LinkContext, "currencies" | "baseUrl" | "clock">,
): ResourceOf<typeof linkResource> {
  return {
    type: "payment-link",
    id: link.id,
    attributes: {
      ...renderTerms(link, currencies.get(link.walletCurrency), baseUrl),
      url: baseUrl + linkPath(link.pageId),
      state: stateOfLink(link, clock.now()),
      deposit_count: link.taken,
      paid_count: link.paid,
      created_at: formatTimestamp(link.createdAt),
      updated_at: formatTimestamp(link.updatedAt),
    },
    relationships: { wallet: toOne("wallet", link.walletId) },
  };
}
