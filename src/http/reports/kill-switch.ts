import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { type LimitRow, listLimits } from "../../payouts/approve/limits.ts";
import type { KillSwitch } from "../../payouts/controls/kill-switch.ts";
import {
  findKillSwitch,
  type KillSwitchContext,
  listKillSwitches,
  requireSwitchAdministrator,
  turnKillSwitchOff,
  turnKillSwitchOn,
} from "../../payouts/controls/turn-kill-switch.ts";
import { formatDecimal } from "../../platform/kernel/decimal.ts";
import { listInMemory, type MemoryList } from "../../platform/kernel/list-in-memory.ts";
import { mapPage } from "../../platform/kernel/list-query.ts";
import { toOne } from "../../platform/kernel/resource-object.ts";
import { formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";
import { defineDocument } from "../../platform/resources/define-document.ts";
import {
  defineResource,
  type FilterName,
  type ResourceOf,
} from "../../platform/resources/define-resource.ts";
import {
  boolean,
  decimal,
  described,
  nullable,
  oneOf,
  text,
  timestamp,
} from "../../platform/resources/json-schema.ts";
import { actionRoute, createRoute, getRoute, listRoute, type Route } from "../server/route.ts";

const scopes = [
  { value: "all", name: "all payouts of the deployment" },
  { value: "chain", name: "payouts on one chain" },
  { value: "wallet", name: "payouts from one wallet" },
] as const;

const kinds = [
  { value: "kill_switch", name: "turned on by a person" },
  { value: "reconciliation", name: "ledger and chain differ" },
  { value: "restore", name: "the database was restored" },
];

const switchResource = defineResource({
  type: "kill-switch",
  description:
    "A pause of payouts: new ones are rejected (403, code 3019) and none are drafted; signed ones continue. A kill switch, which a person turns on and off, has the id `all`, `chain-ETH` or `wallet-9`. Other kinds prefix theirs (`reconciliation-ETH`, `restore-all`). A chain that is behind its node is paused as well; `GET /chain/` shows that.",
  attributes: {
    scope: oneOf(scopes),
    chain: described(nullable(text), "Code of the chain's coin, for the scope chain."),
    is_on: described(boolean, "False only in the response to turning it off."),
    kind: oneOf(kinds),
    is_by_reconciliation: described(
      boolean,
      "Whether payouts resume automatically when ledger and chain agree again.",
    ),
    reason: described(
      nullable(text),
      "Shown to everyone whose payouts are rejected; what reconciliation found is shown to operators only.",
    ),
    set_by: described(
      nullable(text),
      "Name of the member; null on the command line, or if the caller may not see it.",
    ),
    created_at: nullable(timestamp),
    stops_crediting: described(
      boolean,
      "Whether the chain is not read either: no payment is credited there, and none is shown, until the switch is turned off.",
    ),
  },
  relationships: { wallet: { resource: "wallet", nullable: true } },
  filters: { scope: { lookup: "exact", choices: scopes } },
});

const reasonMax = 256;

const newSwitch = defineDocument({
  type: "kill-switch",
  fields: {
    scope: { kind: "Choice", choices: scopes, required: true },
    chain: { kind: "String", maxLength: 16, description: "Code of the chain's coin." },
    reason: { kind: "String", maxLength: reasonMax, required: true },
    stops_crediting: {
      kind: "Boolean",
      description: "Only for the scope chain: also stops reading the chain. Default: false.",
    },
    wallet: { kind: "Relationship", resource: "wallet" },
  },
});

const spans = [
  { value: "transaction", name: "one payout" },
  { value: "hour", name: "all payouts of an hour" },
  { value: "day", name: "all payouts of a day" },
];

const limitResource = defineResource({
  type: "payout-limit",
  description:
    "A payout above this amount waits for approval. The most specific limit applies: the wallet's, then the account's, then the deployment's.",
  attributes: {
    span: oneOf(spans),
    amount: decimal,
    is_default: described(boolean, "Applies to every account without a limit of its own."),
  },
  relationships: {
    currency: { resource: "currency" },
    wallet: { resource: "wallet", nullable: true },
  },
});

export type ControlsContext = KillSwitchContext & { readonly currencies: CurrencyRegistry };

/** `/kill-switch/`, `/kill-switch/{switch}/`, its release, and `/payout-limit/`. */
export function killSwitchRoutes(context: ControlsContext): readonly Route[] {
  const { db, currencies } = context;
  return [
    listRoute({
      path: "/kill-switch/",
      summary: "List the kill switches that are on",
      description:
        "The switches of the deployment, of its chains, and of the wallets that the caller may view.",
      resource: switchResource,
      list: async ({ principal }, query) =>
        mapPage(
          listInMemory(await listKillSwitches(db, principal), switchList, query),
          (killSwitch) => renderSwitch(killSwitch, true),
        ),
    }),
    getRoute({
      path: "/kill-switch/{switch}/",
      summary: "Get a kill switch that is on",
      resource: switchResource,
      find: async ({ principal, params }) => {
        const found = await findKillSwitch(db, principal, params["switch"] ?? "");
        return found === null ? null : renderSwitch(found, true);
      },
    }),
    createRoute({
      path: "/kill-switch/",
      summary: "Stop payouts",
      description:
        "For Owners and Admins: for one of their wallets; for a chain or the whole deployment if their account operates it. A switch that is already on gets the new reason.",
      resource: switchResource,
      document: newSwitch,
      assertAllowed: requireSwitchAdministrator,
      create: async ({ principal }, { wallet, stops_crediting, ...input }) =>
        renderSwitch(
          await turnKillSwitchOn(context, principal, {
            ...input,
            walletId: wallet,
            stopsCrediting: stops_crediting ?? false,
          }),
          true,
        ),
    }),
    actionRoute({
      path: "/kill-switch/{switch}/release/",
      summary: "Turn a kill switch off",
      description: "For those who may turn it on. A pause by reconciliation ends automatically.",
      resource: switchResource,
      act: async ({ principal, params }) => {
        const found = await turnKillSwitchOff(context, principal, params["switch"] ?? "");
        return found === null ? null : renderSwitch(found, false);
      },
    }),
    listRoute({
      path: "/payout-limit/",
      summary: "List the approval limits of payouts",
      description: "For Owners and Admins.",
      resource: limitResource,
      list: async ({ principal }, query) =>
        mapPage(listInMemory(await listLimits(db, principal), limitList, query), (limit) =>
          renderLimit(limit, currencies),
        ),
    }),
  ];
}

const switchList: MemoryList<KillSwitch, FilterName<typeof switchResource>> = {
  id: ({ id }) => id,
  filters: { scope: ({ scope }, value) => scope === value },
  sort: { id: ({ id }) => id },
};
const limitList = { id: ({ id }: LimitRow) => id, filters: {}, sort: {} };

function renderSwitch(found: KillSwitch, isOn: boolean): ResourceOf<typeof switchResource> {
  return {
    type: "kill-switch",
    id: found.id,
    attributes: {
      scope: found.scope,
      chain: found.chain,
      is_on: isOn,
      kind: found.kind,
      is_by_reconciliation: found.kind === "reconciliation",
      reason: found.reason,
      set_by: found.setBy,
      created_at: formatTimestampOrNull(found.since),
      stops_crediting: found.stopsCrediting,
    },
    relationships: { wallet: toOne("wallet", found.walletId) },
  };
}

function renderLimit(
  limit: LimitRow,
  currencies: CurrencyRegistry,
): ResourceOf<typeof limitResource> {
  return {
    type: "payout-limit",
    id: limit.id,
    attributes: {
      span: limit.span,
      amount: formatDecimal(limit.units, currencies.get(limit.currency).exp),
      is_default: limit.accountId === null,
    },
    relationships: {
      currency: toOne("currency", limit.currency),
      wallet: toOne("wallet", limit.walletId),
    },
  };
}
