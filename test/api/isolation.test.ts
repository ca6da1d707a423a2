import { describe, expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import {
  changing,
  type DescribedRoute,
  idsOf,
  keyed,
  of,
  sorted,
  unidentified,
  useTwoTenants,
} from "../support/isolation-site.ts";
import { payee } from "../support/payout-world.ts";
import { accountWide, owned, shopMark, strangerMark } from "../support/two-tenants.ts";
import { databaseDigest, type WholeRequest } from "../support/whole-api.ts";
import {
  newCalculation,
  newInternalPayout,
  newPayout,
  postPayout,
} from "../support/whole-payouts.ts";
import { newDeposit } from "../support/whole-tenant.ts";

/*
 * Accounts cannot view, count or change each other's objects. Tested for every route that `/openapi.json` describes: a route that is
 * missing in the tables below fails the first test.
 */

const site = useTwoTenants();
const { database, api, describedRoutes, lists, singles, walk, beyondOwn, verifyFilters } = site;

/** The same for all accounts. */
const common = new Set(["currency", "rates", "token"]);
/**
 * The deployment's, or sums over what is listed here, or hits in it: shown beside their routes (operator.test.ts,
 * statistics.test.ts, search.test.ts).
 */
const shownElsewhere = new Set([
  ...["chain", "held-transfer", "hot-wallet", "spend", "payout-queue", "reconciliation"],
  ...["unexplained-spend", "position", "unattributed"],
  ...[
    "kill-switch",
    "payout-limit",
    "travel-rule-threshold",
    "statistics",
    "search",
    "monthly-statement",
  ],
]);
/** Payers' pages need no account: `payment-page.test.ts` and `payment-link.test.ts` in `src/http/deposits/`. */
const ofPayers = new Set(["pay", "link"]);
/** One object per account: tested in store-settings.test.ts and store-settings-page.test.ts. */
const oneForEach = new Set(["store-settings"]);
/** What administrators keep: most of these routes require a person's session and have their own tests. */
const ofPeople = new Set([
  "session",
  "me",
  "totp",
  "passkey",
  "recovery-code",
  "member",
  "credential",
  "webhook-secret",
  "audit-entry",
  "payment-link",
  "invitation",
  "protection",
  "protection-change",
  "invitation-acceptance",
  "invitation-offer",
  "notification-settings",
  "push-subscription",
  "email-verification",
  "password-reset",
  "password-reset-completion",
]);
const outsideJsonApi = new Set([
  "/ping",
  "/openapi.json",
  "/docs",
  "/healthz",
  "/readyz",
  "/metrics",
]);

it("covers every documented route", () => {
  const known = ({ method, path, name }: DescribedRoute): boolean =>
    outsideJsonApi.has(path) ||
    common.has(name) ||
    shownElsewhere.has(name) ||
    ofPayers.has(name) ||
    oneForEach.has(name) ||
    ofPeople.has(name) ||
    (name in accountWide && (method === "GET" || `${method} ${path}` in changing)) ||
    (name in owned && (method === "GET" || `${method} ${path}` in changing));
  expect(
    describedRoutes()
      .filter((route) => !known(route))
      .map(({ method, path }) => `${method} ${path}`),
  ).toEqual([]);
  for (const objects of Object.values(site.tenants.objects))
    for (const [name, rows] of Object.entries(objects))
      expect([name, rows.length > 3]).toEqual([name, true]);
});

describe("objects of an account that belong to no wallet", () => {
  const shown = async (as: string, path: string) => {
    const { resources, text } = await api.ask({
      method: "GET",
      path: `${path}?page[size]=100`,
      as,
    });
    return { ids: resources.map(({ id }) => id).toSorted(), text };
  };
  const wide = () =>
    describedRoutes().filter(({ method, name }) => method === "GET" && name in accountWide);

  it("are listed for their own account only", async () => {
    for (const { path, name } of wide().filter((route) => !route.path.includes("{"))) {
      const sides = [
        [site.tenants.shop, strangerMark],
        [site.tenants.stranger, shopMark],
      ] as const;
      for (const [{ token, accountId }, otherMark] of sides) {
        const rows = await database.sql<{ id: string }>(accountWide[name] ?? "", [accountId]);
        const { ids, text } = await shown(token, path);
        expect([path, ids]).toEqual([path, rows.map(({ id }) => id).toSorted()]);
        expect([path, ids.length > 0]).toEqual([path, true]);
        expect(text).not.toContain(otherMark);
      }
      expect((await shown(site.tenants.roles.read_only.token, path)).ids.length).toBeGreaterThan(0);
    }
  });

  it("are 404 for other accounts on every route, and cannot be changed", async () => {
    const before = await databaseDigest(database);
    const attempts = [
      ...wide().map(({ path }) => [`GET ${path}`, null] as const),
      ...Object.entries(changing).map(
        ([route, document]) => [route, document(site.tenants.shop)] as const,
      ),
    ];
    for (const [route, body] of attempts) {
      const [method = "", path = ""] = route.split(" ");
      const sql = accountWide[path.split("/")[1] ?? ""];
      if (sql === undefined || !path.includes("{id}")) continue;
      const [row] = await database.sql<{ id: string }>(sql, [site.tenants.shop.accountId]);
      const answer = await api.ask({
        method,
        path: path.replace("{id}", present(row, `one of ${path}`).id),
        as: site.tenants.stranger.token,
        ...(body === null ? {} : { body }),
      });
      expect([route, answer.status]).toEqual([route, 404]);
    }
    expect(await databaseDigest(database)).toEqual(before);
  });
});

describe("another account", () => {
  it("lists and counts only its own objects", async () => {
    const sides = [
      [site.tenants.shop.token, site.tenants.objects.shop, strangerMark],
      [site.tenants.stranger.token, site.tenants.objects.stranger, shopMark],
    ] as const;
    for (const [token, objects, otherMark] of sides)
      for (const { path, name } of lists()) {
        const own = idsOf(of(objects, name));
        const { ids, count, text } = await walk(token, path);
        expect([path, sorted(ids), count]).toEqual([path, own, own.length]);
        expect(text).not.toContain(otherMark);
        const last = await api.ask({
          method: "GET",
          path: `${path}?page[number]=last&page[size]=1`,
          as: token,
        });
        expect(last.pagination.page).toBe(own.length);
      }
  });

  it("gets the same response for a foreign object as for an unknown one on every route", async () => {
    for (const { path, name } of singles()) {
      const theirs = beyondOwn(name);
      for (const id of theirs)
        for (const method of ["GET", "HEAD"]) {
          const answer = await api.ask({
            method,
            path: path.replace("{id}", id),
            as: site.tenants.stranger.token,
          });
          const none = await api.ask({
            method,
            path: path.replace("{id}", "99999999"),
            as: site.tenants.stranger.token,
          });
          expect([path, answer.status, unidentified(answer)]).toEqual([
            path,
            404,
            unidentified(none),
          ]);
        }
    }
    const before = await databaseDigest(database);
    for (const [route, document] of Object.entries(changing)) {
      const [method = "", path = ""] = route.split(" ");
      if (!path.includes("{id}")) continue;
      const name = path.split("/")[1] ?? "";
      if (!(name in owned)) continue;
      for (const id of beyondOwn(name).slice(0, 3)) {
        const request = (object: string): WholeRequest => {
          const body = document(site.tenants.shop);
          return {
            method,
            path: path.replace("{id}", object),
            as: site.tenants.stranger.token,
            headers: keyed(),
            ...(body === null ? {} : { body }),
          };
        };
        const answer = await api.ask(request(id));
        expect([route, answer.status, unidentified(answer)]).toEqual([
          route,
          // Operators' actions are refused before any object is looked up.
          name === "transfer" ? 403 : 404,
          unidentified(await api.ask(request("99999999"))),
        ]);
      }
    }
    expect(await databaseDigest(database)).toEqual(before);
  });

  it("creates nothing in a foreign wallet, and cannot tell whether it exists", async () => {
    const before = await databaseDigest(database);
    const create = (wallet: string) =>
      api.ask({
        method: "POST",
        path: "/deposit/",
        as: site.tenants.stranger.token,
        body: newDeposit(wallet),
      });
    const pay = (wallet: string, target?: string) =>
      postPayout(
        api,
        site.tenants.stranger.token,
        target === undefined ? newPayout(wallet) : newInternalPayout(wallet, target, "1002"),
      );
    const calculate = (wallet: string) =>
      api.ask({
        method: "POST",
        path: "/payout/calculate/",
        as: site.tenants.stranger.token,
        body: newCalculation(wallet, { amount: "0.1", to_address: payee }),
      });
    const payTo = (target: string) => pay(site.tenants.stranger.wallets.ether, target);
    for (const wallet of Object.values(site.tenants.shop.wallets))
      for (const [ask, status] of [
        [create, 400],
        [(id: string) => pay(id), 400],
        [payTo, 400],
        [calculate, 403],
      ] as const)
        expect([status, unidentified(await ask("99999999"))]).toEqual([
          (await ask(wallet)).status,
          unidentified(await ask(wallet)),
        ]);
    expect(await databaseDigest(database)).toEqual(before);
  });

  it("finds no object of a foreign account with any filter, sort, include or cursor", async () => {
    await verifyFilters(site.tenants.stranger.token, site.tenants.objects.stranger, shopMark);
    for (const { path, name } of lists()) {
      const cursor = await api.ask({
        method: "GET",
        path: `${path}?page[after]=&page[size]=2`,
        as: site.tenants.shop.token,
      });
      const next = new URL(present(cursor.links.next, "a next page"));
      const answer = await api.ask({
        method: "GET",
        path: next.pathname + next.search,
        as: site.tenants.stranger.token,
      });
      const own = idsOf(of(site.tenants.objects.stranger, name));
      expect(answer.resources.filter(({ id }) => !own.includes(id))).toEqual([]);
      expect(answer.text).not.toContain(shopMark);
    }
  });
});
