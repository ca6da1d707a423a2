import { beforeAll } from "vitest";
import { setOperator } from "../../src/accounts/operator.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import type { SeenResource } from "./api-server.ts";
import { arrangeReceipt } from "./arrange-receipt.ts";
import type { TestDatabase } from "./database.ts";
import { announceChain, fillPool } from "./deposit-world.ts";
import { payee, receiver } from "./payout-world.ts";
import { arrangeInvitation } from "./two-tenants.ts";
import { useWholeApi, type WholeApi, type WholeRequest } from "./whole-api.ts";
import { payAll } from "./whole-payments.ts";
import { arrangePayoutOf, fundTenant, newInternalPayout, newPayout } from "./whole-payouts.ts";
import { openPerson } from "./whole-person.ts";
import {
  arrangeDepositOf,
  arrangeTenant,
  newDeposit,
  newWallet,
  setPrices,
  type Tenant,
} from "./whole-tenant.ts";

export const shopOrigin = "https://shop.example";
export const depositCount = 23;
/** Not lists: they search for a text and refuse an empty one (search.test.ts, unattributed.test.ts). */
const requestedOnly: readonly string[] = ["/search/", "/unattributed/{id}/assignable-deposit/"];
/** Compares the process's clock with the database's; tests move theirs (operations-routes.test.ts). */
const ownClock = "/readyz";

type ConventionsSite = {
  readonly shop: Tenant;
  /** A Merchant wallet in ether, with eighteen digits. */
  readonly etherMerchant: string;
  /** An id for each path that has one. */
  readonly ids: Readonly<Record<string, string>>;
};
type DescribedPath = {
  readonly path: string;
  readonly concrete: string;
  readonly methods: readonly string[];
};

type NewObject = {
  readonly type: string;
  readonly attributes: JsonObject;
  readonly relationships: JsonObject;
};

const beneficiary: NewObject = {
  type: "beneficiary",
  attributes: { name: "Jo Doe", address: payee },
  relationships: { currency: { data: { type: "currency", id: "1002" } } },
};

const endpoint: NewObject = {
  type: "webhook-endpoint",
  attributes: { url: "https://shop.example/" },
  relationships: {},
};
const paymentLink = (wallet: string): NewObject => ({
  type: "payment-link",
  attributes: { name: "Blue teapot", amount: "40.00" },
  relationships: { wallet: { data: { type: "wallet", id: wallet } } },
});

/** On a wallet that pays nothing. */
const killSwitch = (wallet: string): NewObject => ({
  type: "kill-switch",
  attributes: { scope: "wallet", reason: "for the list" },
  relationships: { wallet: { data: { type: "wallet", id: wallet } } },
});

/** Excuses no payout, so it needs nobody's approval. */
const threshold: NewObject = {
  type: "travel-rule-threshold",
  attributes: { amount: "0" },
  relationships: { currency: { data: { type: "currency", id: "1003" } } },
};

/** A limit that no payout here reaches. */
const protectionChange: NewObject = {
  type: "protection-change",
  attributes: { kind: "limit", span: "day", amount: "1000000" },
  relationships: { currency: { data: { type: "currency", id: "1003" } } },
};

async function make(api: WholeApi, as: string, data: NewObject): Promise<SeenResource> {
  const body: JsonObject = { data };
  return (await api.ask({ method: "POST", path: `/${data.type}/`, as, body })).one;
}

/** The real service with one shop that has an object of each kind, for tests of the wire rules. */
export function useConventions(database: TestDatabase) {
  const api = useWholeApi(database, { http: { cors_origins: [shopOrigin] } });
  let site: ConventionsSite;

  beforeAll(async () => {
    await fillPool(api.world(), "evm", "", 200);
    await fillPool(api.world(), "BTC", "bech32", 50);
    await setPrices(api, { ETH: 2000, BTC: 100_000, USDT: 1 });
    const shop = await arrangeTenant(api);
    const { token, wallets, accountId } = shop;
    const created = { method: "POST", path: "/wallet/", as: token, body: newWallet(1, "1002") };
    const etherMerchant = (await api.ask(created)).one.id;
    const texts = {
      callback_url: "https://shop.example/",
      label: "paid",
      travel_rule_info: receiver,
    };
    const paid = await arrangeDepositOf(api, token, newDeposit(wallets.ether, texts));
    const payouts = await arrangePayouts(shop, etherMerchant);
    await payAll(api, "ETH", [{ accountId, id: paid, amount: "1.5" }]);
    for (const chain of ["ETH", "BTC"]) await (await announceChain(api.world(), chain)).catchUp();
    for (let number = 1; number < depositCount; number += 1)
      await arrangeDepositOf(
        api,
        token,
        newDeposit(wallets.merchant, {
          label: `label ${number % 4}`,
          tracking_id: `order ${number}`,
        }),
      );
    const first = async (path: string) => (await get(path, token)).resources[0]?.id ?? "";
    // Some routes are for people only, or for operators of the deployment; these callers may also use all others.
    await setOperator({ db: database.db, clock: api.clock }, accountId, true);
    const person = await openPerson(api, shop.owner);
    site = {
      shop: { ...shop, token: person.token },
      etherMerchant,
      ids: {
        ...person.ids,
        beneficiary: (await make(api, person.token, beneficiary)).id,
        "payout-batch": await arrangeBatch(accountId, wallets.ether),
        "webhook-endpoint": (await make(api, person.token, endpoint)).id,
        invitation: await arrangeInvitation(database, accountId, "newcomer"),
        "payment-link": (await make(api, person.token, paymentLink(wallets.merchant))).id,
        "protection-change": (await make(api, person.token, protectionChange)).id,
        "travel-rule-threshold": (await make(api, person.token, threshold)).id,
        "kill-switch": (await make(api, person.token, killSwitch(wallets.bitcoin))).id,
        deposit: paid,
        payout: payouts[0] ?? "",
        wallet: wallets.ether,
        transfer: await first("/transfer/"),
        callback: await first("/callback/"),
        event: "1",
        currency: "1002",
        rates: "1002-840",
        chain: "ETH",
        unattributed: await arrangeReceipt(api.world()),
      },
    };
  });

  async function arrangeBatch(accountId: string, wallet: string): Promise<string> {
    const [row] = await database.sql<{ id: string }>(
      `insert into payout_batch (account_id, reference, wallet_id, currency, digest, row_count, total_units, needs_approval,
         created_by_member_id, created_at)
       values ($1, 'January', $2, '1002', '', 1, 1, false, 1, '2026-01-01Z') returning id`,
      [accountId, wallet],
    );
    return present(row, "a batch").id;
  }

  /** One on-chain payout, and one inside the service, which is paid at once. */
  async function arrangePayouts(shop: Tenant, target: string): Promise<readonly string[]> {
    await fundTenant(api, shop);
    const { token, wallets } = shop;
    const callback_url = "https://shop.example/";
    return [
      await arrangePayoutOf(api, token, newPayout(wallets.ether, { callback_url })),
      await arrangePayoutOf(
        api,
        token,
        newInternalPayout(wallets.ether, target, "1002", { callback_url }),
      ),
    ];
  }

  const get = (path: string, as = site.shop.token, headers: WholeRequest["headers"] = {}) =>
    api.ask({ method: "GET", path: path.replaceAll(" ", "%20"), as, headers });

  const create = (body: WholeRequest["body"], headers: WholeRequest["headers"] = {}) =>
    api.ask({
      method: "POST",
      path: "/deposit/",
      as: site.shop.token,
      headers,
      ...(body === undefined ? {} : { body }),
    });

  /** Every described path, with an existing id. */
  function describedPaths(): readonly DescribedPath[] {
    const paths = Object.entries(api.description()["paths"] as Record<string, JsonObject>);
    // The payer's routes are not JSON:API.
    return paths
      .filter(([path]) => !/^\/(?:pay|link)\//.test(path))
      .map(([path, item]) => ({
        path,
        concrete: path.replace(/\{\w+\}/, () =>
          present(site.ids[path.split("/")[1] ?? ""], `an id for ${path}`),
        ),
        methods: Object.keys(item).map((method) => method.toUpperCase()),
      }));
  }

  const readable = () =>
    describedPaths().filter(
      ({ path, methods }) =>
        methods.includes("GET") && !requestedOnly.includes(path) && path !== ownClock,
    );
  const jsonApiPaths = () =>
    describedPaths().filter(
      ({ path, methods }) => methods.includes("OPTIONS") && !requestedOnly.includes(path),
    );
  /** Paginated routes. Some paths without an id return a single resource, such as `/me/`. */
  const lists = () =>
    jsonApiPaths().filter(({ path }) => {
      const items = api.description()["paths"] as Record<string, JsonObject>;
      const described = JSON.stringify(items[path]?.["get"] ?? null);
      return described.includes("page[after]") && !path.includes("{");
    });

  return { api, get, create, describedPaths, readable, jsonApiPaths, lists, stage: () => site };
}
