import { describe, expect, it } from "vitest";
import type { Role } from "../../src/accounts/principal.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import {
  changing,
  idsOf,
  keyed,
  of,
  sorted,
  unidentified,
  useTwoTenants,
} from "../support/isolation-site.ts";
import { accountWide, type Objects, owned, type Someone } from "../support/two-tenants.ts";
import { databaseDigest, describeResponse } from "../support/whole-api.ts";
import { newDeposit } from "../support/whole-tenant.ts";

/*
 * Members cannot view, count or change objects of wallets that were not granted, and roles are checked. Tested for every route that
 * `/openapi.json` describes.
 */

const site = useTwoTenants();
const { database, api, lists, singles, walk, verifyFilters } = site;

const others: readonly Role[] = ["withdrawals", "withdrawals_with_approval", "read_only"];
/** Roles that are refused. */
const refusedRoles: Readonly<Record<string, readonly Role[]>> = {
  "POST /webhook-endpoint/": others,
  "PATCH /webhook-endpoint/{id}/": others,
  "POST /webhook-endpoint/{id}/rotate-secret/": others,
  "DELETE /webhook-endpoint/{id}/": others,
  "POST /wallet/": others,
  "PATCH /wallet/{id}/": others,
  "POST /wallet/{id}/activate/": others,
  "POST /transfer/{id}/release/": others,
  "POST /transfer/{id}/return/": others,
  // Its answer depends only on public rates and the chain.
  "POST /payout/calculate/": [],
  "POST /payout/requirements/": [],
  "POST /deposit/{id}/resolve/calculate/": [],
  "POST /transfer/{id}/return/calculate/": others,
  "POST /payout-batch/preview/": [],
  "POST /payout-batch/{id}/approve/": ["withdrawals_with_approval", "read_only"],
  "POST /payout/{id}/approve/": ["withdrawals_with_approval", "read_only"],
  "POST /payout/{id}/cancel/": ["withdrawals_with_approval", "read_only"],
};

describe("a member who was granted one wallet", () => {
  const granted = (): Objects => visibleIn(site.tenants.shop.wallets.ether);
  const visibleIn = (wallet: string): Objects =>
    Object.fromEntries(
      Object.entries(site.tenants.objects.shop).map(([name, rows]) => [
        name,
        rows.filter((row) => row.wallet_id === wallet),
      ]),
    );

  it("lists and counts only objects of that wallet, and without a grant none", async () => {
    for (const { path, name } of lists()) {
      const own = idsOf(of(granted(), name));
      const { ids, count } = await walk(site.tenants.clerk.token, path);
      expect([path, sorted(ids), count]).toEqual([path, own, own.length]);
      const nothing = await walk(site.tenants.newcomer.token, path);
      expect([nothing.ids, nothing.count]).toEqual([[], 0]);
    }
  });

  it("gets 400/5001 for objects of other wallets, and cannot change them", async () => {
    const before = await databaseDigest(database);
    for (const { path, name } of singles())
      for (const { id, wallet_id } of of(site.tenants.objects.shop, name)) {
        const answer = await api.ask({
          method: "GET",
          path: path.replace("{id}", id),
          as: site.tenants.clerk.token,
        });
        expect([path, describeResponse(answer)]).toEqual([
          path,
          wallet_id === site.tenants.shop.wallets.ether ? "200" : "400 5001",
        ]);
      }
    for (const [route, document] of Object.entries(changing)) {
      const [method = "", path = ""] = route.split(" ");
      if (!path.includes("{id}")) continue;
      const name = path.split("/")[1] ?? "";
      if (!(name in owned)) continue;
      const hidden = of(site.tenants.objects.shop, name).filter(
        (row) => row.wallet_id !== site.tenants.shop.wallets.ether,
      );
      for (const { id } of hidden.slice(0, 3)) {
        const body = document(site.tenants.shop);
        const answer = await api.ask({
          method,
          path: path.replace("{id}", id),
          as: site.tenants.clerk.token,
          headers: keyed(),
          ...(body === null ? {} : { body }),
        });
        // An operator decides about every account's payments, so it needs access to all wallets of its own.
        const isOperators = /\/transfer\/\{id\}\/(?:release|return)\//.test(route);
        expect([route, describeResponse(answer)]).toEqual([
          route,
          isOperators ? "403 permission_denied" : "400 5001",
        ]);
      }
    }
    expect(await databaseDigest(database)).toEqual(before);
  });

  it("finds no object of another wallet with any filter, sort or include", async () => {
    await verifyFilters(site.tenants.clerk.token, granted(), null);
  });

  it("creates deposits in that wallet only, and cannot tell whether another wallet exists", async () => {
    const create = (wallet: string) =>
      api.ask({
        method: "POST",
        path: "/deposit/",
        as: site.tenants.clerk.token,
        body: newDeposit(wallet),
      });
    const before = await databaseDigest(database);
    expect(unidentified(await create(site.tenants.shop.wallets.bitcoin))).toBe(
      unidentified(await create("99999999")),
    );
    expect(await databaseDigest(database)).toEqual(before);
    expect((await create(site.tenants.shop.wallets.ether)).status).toBe(201);
  });
});

/** The same document with invalid attributes. */
function withWrongFields(document: JsonObject): JsonObject {
  const data = document["data"] as JsonObject;
  const names = Object.keys((data["attributes"] ?? {}) as JsonObject);
  return { data: { ...data, attributes: Object.fromEntries(names.map((name) => [name, [{}]])) } };
}

describe("roles", () => {
  it.each(Object.keys(changing))("are checked on %s", async (route) => {
    const [method = "", path = ""] = route.split(" ");
    const name = path.split("/")[1] ?? "";
    const [object] =
      name in owned
        ? of(site.tenants.objects.shop, name)
        : await database.sql<{ id: string }>(accountWide[name] ?? "", [
            site.tenants.shop.accountId,
          ]);
    for (const [role, { token }] of Object.entries(site.tenants.roles) as [Role, Someone][]) {
      const body = changing[route]?.(site.tenants.shop) ?? null;
      const isRefused = (refusedRoles[route] ?? ["read_only"]).includes(role);
      const before = await databaseDigest(database);
      const ask = (document: JsonObject | null) =>
        api.ask({
          method,
          path: path.replace("{id}", object?.id ?? ""),
          as: token,
          headers: keyed(),
          ...(document === null ? {} : { body: document }),
        });
      const answer = await ask(body);
      if (isRefused) {
        expect([role, describeResponse(answer)]).toEqual([role, "403 permission_denied"]);
        // A refused role receives no information about other faults.
        const wrong = await ask(body === null ? null : withWrongFields(body));
        expect([role, describeResponse(wrong)]).toEqual([role, "403 permission_denied"]);
        expect(await databaseDigest(database)).toEqual(before);
      } else expect([role, answer.status]).not.toEqual([role, 403]);
    }
  });

  it("let Read only view everything", async () => {
    for (const { path } of lists())
      expect(
        (await api.ask({ method: "GET", path, as: site.tenants.roles.read_only.token })).resources
          .length,
      ).toBeGreaterThan(0);
  });
});
