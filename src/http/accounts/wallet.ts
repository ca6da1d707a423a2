import {
  activateWallet,
  assertWalletAdministrator,
  createWallet,
  findWallet,
  findWallets,
  listWallets,
  relabelWallet,
  type WalletsContext,
} from "../../accounts/wallets/administer-wallets.ts";
import { type Wallet, walletStatuses, walletTypes } from "../../accounts/wallets/wallet.ts";
import { labelMax, walletFilters, walletSort } from "../../accounts/wallets/wallet-filters.ts";
import { formatDecimal } from "../../platform/kernel/decimal.ts";
import { mapPage } from "../../platform/kernel/list-query.ts";
import { toOne } from "../../platform/kernel/resource-object.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { defineDocument } from "../../platform/resources/define-document.ts";
import { defineResource, type ResourceOf } from "../../platform/resources/define-resource.ts";
import {
  decimal,
  described,
  nullable,
  oneOf,
  text,
  timestamp,
} from "../../platform/resources/json-schema.ts";
import type { Loader } from "../jsonapi/compose-document.ts";
import {
  actionRoute,
  createRoute,
  getRoute,
  listRoute,
  patchRoute,
  type Route,
} from "../server/route.ts";

const walletResource = defineResource({
  type: "wallet",
  description: "An account's money in one currency.",
  attributes: {
    label: text,
    status: oneOf(walletStatuses),
    type: oneOf(walletTypes),
    created_at: timestamp,
    balance_confirmed: described(
      decimal,
      "Available for payouts, in the wallet's currency. Excludes money held for payouts.",
    ),
    balance_pending: described(
      decimal,
      "Received, but without the confirmations that the currency requires.",
    ),
    balance_unusable: described(
      decimal,
      "The part of balance_confirmed that costs more to move than it is worth.",
    ),
    minimal_transfer_amount: described(decimal, "Smaller transfers are not credited."),
    destination: described(
      {
        type: ["object", "null"],
        properties: { address_type: nullable(text), address: text },
        required: ["address_type", "address"],
      },
      "The wallet's own address on chains where wallets have one; null elsewhere.",
    ),
  },
  relationships: { currency: { resource: "currency" } },
  filters: walletFilters,
  sortable: walletSort,
  defaultSort: "-created_at",
});

const newWallet = defineDocument({
  type: "wallet",
  fields: {
    type: { kind: "Choice", choices: walletTypes, required: true },
    currency: { kind: "Relationship", resource: "currency", required: true },
    label: {
      kind: "String",
      maxLength: labelMax,
      description: "Default: the currency's alpha code.",
    },
  },
});

const walletPatch = defineDocument({
  type: "wallet",
  partial: true,
  fields: { label: { kind: "String", maxLength: labelMax } },
});

/** `/wallet/` and the routes below it. */
export function walletRoutes(context: WalletsContext): readonly Route[] {
  return [
    listRoute({
      path: "/wallet/",
      summary: "List wallets",
      resource: walletResource,
      list: async ({ principal }, query) =>
        mapPage(await listWallets(context, principal, query), renderWallet),
    }),
    getRoute({
      path: "/wallet/{id}/",
      summary: "Get a wallet",
      resource: walletResource,
      find: async ({ principal, id }) => rendered(await findWallet(context, principal, id)),
    }),
    createRoute({
      path: "/wallet/",
      summary: "Create a wallet",
      description:
        "For Owner and Admin. A Merchant wallet is denominated in a fiat currency, a stablecoin or a coin, Enterprise, Custody and Swap wallets in a coin or a token.",
      resource: walletResource,
      document: newWallet,
      assertAllowed: assertWalletAdministrator,
      create: async ({ principal }, input) =>
        renderWallet(await createWallet(context, principal, input)),
    }),
    patchRoute({
      path: "/wallet/{id}/",
      summary: "Change a wallet's label",
      description: "For Owner and Admin.",
      resource: walletResource,
      document: walletPatch,
      assertAllowed: assertWalletAdministrator,
      patch: async ({ principal, id }, { label }) =>
        rendered(await relabelWallet(context, principal, id, label)),
    }),
    actionRoute({
      path: "/wallet/{id}/activate/",
      summary: "Activate a wallet",
      description: "For Owner and Admin.",
      resource: walletResource,
      act: async ({ principal, id }) => rendered(await activateWallet(context, principal, id)),
    }),
  ];
}

/** The wallets for `include` that the caller may view. */
export function walletLoader(context: WalletsContext): Loader {
  return {
    resource: walletResource,
    load: async (ids, { principal }) =>
      (await findWallets(context, principal, ids)).map(renderWallet),
  };
}

function rendered(wallet: Wallet | null): ResourceOf<typeof walletResource> | null {
  return wallet === null ? null : renderWallet(wallet);
}

function renderWallet(wallet: Wallet): ResourceOf<typeof walletResource> {
  const { currency } = wallet;
  const amount = (units: bigint): string => formatDecimal(units, currency.exp);
  return {
    type: "wallet",
    id: wallet.id,
    attributes: {
      label: wallet.label,
      status: wallet.status,
      type: wallet.type,
      created_at: formatTimestamp(wallet.createdAt),
      balance_confirmed: amount(wallet.available),
      balance_pending: amount(wallet.pending),
      balance_unusable: amount(wallet.unusable),
      minimal_transfer_amount: amount(currency.minimalTransferUnits),
      destination: wallet.destination,
    },
    relationships: { currency: toOne("currency", currency.id) },
  };
}
