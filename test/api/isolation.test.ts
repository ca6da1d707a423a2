import { beforeAll, describe, expect, it } from "vitest";
import type { Role } from "../../src/accounts/principal.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import type { ApiResponse, SeenResource } from "../support/api-server.ts";
import { useDatabase } from "../support/database.ts";
import { payee, receiver } from "../support/payout-world.ts";
import {
  accountWide,
  arrangeTwoTenants,
  newBeneficiary,
  type Objects,
  type Owned,
  owned,
  patch,
  type Someone,
  shopMark,
  strangerMark,
  type TwoTenants,
} from "../support/two-tenants.ts";
import {
  databaseDigest,
  describeResponse,
  useWholeApi,
  type WholeRequest,
} from "../support/whole-api.ts";
import {
  newCalculation,
  newInternalPayout,
  newPayout,
  postPayout,
} from "../support/whole-payouts.ts";
import { newDeposit, newWallet, type Tenant } from "../support/whole-tenant.ts";

/*
 * Accounts cannot view, count or change each other's objects, and members cannot for wallets that were not granted. Tested for every route
 * that `/openapi.json` describes: a route that is missing in the tables below fails the first test.
 */

const database = useDatabase();
const api = useWholeApi(database);

/** The same for all accounts. */
const common = new Set(["currency", "rates", "token"]);
/**
 * The deployment's, or sums over what is listed here, or hits in it: shown beside their routes (operator.test.ts,
 * statistics.test.ts, search.test.ts).
 */
const shownElsewhere = new Set([
  ...["chain", "held-transfer", "hot-wallet", "spend", "payout-queue", "reconciliation"],
  ...["unexplained-spend", "position"],
  ...["kill-switch", "payout-limit", "statistics", "search"],
]);
/** The payer's page needs no account: `src/http/deposits/payment-page.test.ts`. */
const ofPayers = new Set(["pay"]);
/** One object per account: tested in payment-page-settings.test.ts. */
const oneForEach = new Set(["payment-page"]);
/** Members and rights: most of these routes require a person's session and have their own tests. */
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
]);
const outsideJsonApi = new Set([
  "/ping",
  "/openapi.json",
  "/docs",
  "/healthz",
  "/readyz",
  "/metrics",
]);

/** Routes that change data, each with a valid document; `{id}` stands for an id of `owned`. */
const changing: Readonly<Record<string, (tenant: Tenant) => JsonObject | null>> = {
  "POST /deposit/": ({ wallets }) => newDeposit(wallets.ether),
  "PATCH /deposit/{id}/": () => patch("deposit", { label: "changed" }),
  "POST /deposit/{id}/cancel/": () => null,
  "POST /deposit/{id}/resolve/": () => patch("deposit", { action: "accept" }),
  "POST /deposit/{id}/resolve/calculate/": () =>
    patch("payout-calculation", { action: "refund", to_address: payee }),
  "POST /wallet/": () => newWallet(2, "1002"),
  "PATCH /wallet/{id}/": () => patch("wallet", { label: "changed" }),
  "POST /wallet/{id}/activate/": () => null,
  "POST /callback/{id}/resend/": () => null,
  "POST /beneficiary/": () => newBeneficiary("someone", "3"),
  "PATCH /beneficiary/{id}/": () => patch("beneficiary", { name: "changed" }),
  "DELETE /beneficiary/{id}/": () => null,
  "POST /callback/resend/": () => patch("callback-resend", { status: "failing" }),
  "POST /callback/test/": () => patch("callback-test", { url: "https://shop.example/" }),
  "POST /transfer/{id}/release/": () => patch("transfer", { reason: "known" }),
  "POST /transfer/{id}/return/": () =>
    patch("transfer", { travel_rule_info: receiver, reason: "known" }),
  "POST /transfer/{id}/return/calculate/": () => patch("payout-calculation", { to_address: payee }),
  "POST /payout/": ({ wallets }) => newPayout(wallets.ether),
  "POST /payout/calculate/": ({ wallets }) =>
    newCalculation(wallets.ether, { amount: "0.1", to_address: payee }),
  "PATCH /payout/{id}/": () => patch("payout", { label: "changed" }),
  "POST /payout/{id}/approve/": () => null,
  "POST /payout/{id}/cancel/": () => null,
};

/** Some routes require an idempotency key; the others ignore it. */
const keyed = () => ({ "idempotency-key": systemRandom.uuid() });

/** Roles that are refused. */
const refusedRoles: Readonly<Record<string, readonly Role[]>> = {
  "POST /wallet/": ["withdrawals", "withdrawals_with_approval", "read_only"],
  "PATCH /wallet/{id}/": ["withdrawals", "withdrawals_with_approval", "read_only"],
  "POST /wallet/{id}/activate/": ["withdrawals", "withdrawals_with_approval", "read_only"],
  "POST /transfer/{id}/release/": ["withdrawals", "withdrawals_with_approval", "read_only"],
  "POST /transfer/{id}/return/": ["withdrawals", "withdrawals_with_approval", "read_only"],
  // Its answer depends only on public rates and the chain.
  "POST /payout/calculate/": [],
  "POST /deposit/{id}/resolve/calculate/": [],
  "POST /transfer/{id}/return/calculate/": [
    "withdrawals",
    "withdrawals_with_approval",
    "read_only",
  ],
  "POST /payout/{id}/approve/": ["withdrawals_with_approval", "read_only"],
  "POST /payout/{id}/cancel/": ["withdrawals_with_approval", "read_only"],
};

let tenants: TwoTenants;

beforeAll(async () => {
  tenants = await arrangeTwoTenants(api);
});

type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly schema: { readonly description?: string };
};
type DescribedRoute = {
  readonly method: string;
  readonly path: string;
  readonly name: string;
  readonly parameters: readonly Parameter[];
};

function describedRoutes(): readonly DescribedRoute[] {
  const paths = Object.entries(
    api.description()["paths"] as Record<
      string,
      Record<string, { parameters?: readonly Parameter[] }>
    >,
  );
  return paths.flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== "options")
      .map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        name: path.split("/")[1] ?? "",
        parameters: operation.parameters ?? [],
      })),
  );
}

const lists = () =>
  describedRoutes().filter(
    ({ method, path, name }) => method === "GET" && name in owned && !path.includes("{"),
  );
const singles = () =>
  describedRoutes().filter(
    ({ method, path, name }) => method === "GET" && name in owned && path.includes("{id}"),
  );

const of = (objects: Objects, name: string) => present(objects[name], `objects of ${name}`);

/** All items of a list, page by page, and its count. */
async function walk(
  as: string,
  path: string,
  query = "",
): Promise<{ ids: string[]; count: number; text: string }> {
  const ids: string[] = [];
  const seen: string[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await api.ask({
      method: "GET",
      path: `${path}?page[size]=7&page[number]=${page}${query}`,
      as,
    });
    expect(describeResponse(answer)).toBe("200");
    ids.push(...answer.resources.map(({ id }) => id));
    // The links repeat the request's parameters.
    seen.push(JSON.stringify([answer.resources, answer.included]));
    if (answer.links.next === null)
      return { ids, count: answer.pagination.count, text: seen.join() };
  }
}

/** The body of a refusal without the request id. */
const unidentified = ({ text }: ApiResponse): string => text.replaceAll(/"id":"[^"]+"/g, "");

const sorted = (ids: Iterable<string>) => [...ids].sort((a, b) => Number(a) - Number(b));
const idsOf = (rows: readonly Owned[]) => sorted(rows.map(({ id }) => id));

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
  for (const objects of Object.values(tenants.objects))
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
        [tenants.shop, strangerMark],
        [tenants.stranger, shopMark],
      ] as const;
      for (const [{ token, accountId }, otherMark] of sides) {
        const rows = await database.sql<{ id: string }>(accountWide[name] ?? "", [accountId]);
        const { ids, text } = await shown(token, path);
        expect([path, ids]).toEqual([path, rows.map(({ id }) => id).toSorted()]);
        expect([path, ids.length > 0]).toEqual([path, true]);
        expect(text).not.toContain(otherMark);
      }
      expect((await shown(tenants.roles.read_only.token, path)).ids.length).toBeGreaterThan(0);
    }
  });

  it("are 404 for other accounts on every route, and cannot be changed", async () => {
    const before = await databaseDigest(database);
    const asked = [
      ...wide().map(({ path }) => [`GET ${path}`, null] as const),
      ...Object.entries(changing).map(
        ([route, document]) => [route, document(tenants.shop)] as const,
      ),
    ];
    for (const [route, body] of asked) {
      const [method = "", path = ""] = route.split(" ");
      const sql = accountWide[path.split("/")[1] ?? ""];
      if (sql === undefined || !path.includes("{id}")) continue;
      const [row] = await database.sql<{ id: string }>(sql, [tenants.shop.accountId]);
      const answer = await api.ask({
        method,
        path: path.replace("{id}", present(row, `one of ${path}`).id),
        as: tenants.stranger.token,
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
      [tenants.shop.token, tenants.objects.shop, strangerMark],
      [tenants.stranger.token, tenants.objects.stranger, shopMark],
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
            as: tenants.stranger.token,
          });
          const none = await api.ask({
            method,
            path: path.replace("{id}", "99999999"),
            as: tenants.stranger.token,
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
          const body = document(tenants.shop);
          return {
            method,
            path: path.replace("{id}", object),
            as: tenants.stranger.token,
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
        as: tenants.stranger.token,
        body: newDeposit(wallet),
      });
    const pay = (wallet: string, target?: string) =>
      postPayout(
        api,
        tenants.stranger.token,
        target === undefined ? newPayout(wallet) : newInternalPayout(wallet, target, "1002"),
      );
    const calculate = (wallet: string) =>
      api.ask({
        method: "POST",
        path: "/payout/calculate/",
        as: tenants.stranger.token,
        body: newCalculation(wallet, { amount: "0.1", to_address: payee }),
      });
    const payTo = (target: string) => pay(tenants.stranger.wallets.ether, target);
    for (const wallet of Object.values(tenants.shop.wallets))
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
    await verifyFilters(tenants.stranger.token, tenants.objects.stranger, shopMark);
    for (const { path, name } of lists()) {
      const cursor = await api.ask({
        method: "GET",
        path: `${path}?page[after]=&page[size]=2`,
        as: tenants.shop.token,
      });
      const next = new URL(present(cursor.links.next, "a next page"));
      const answer = await api.ask({
        method: "GET",
        path: next.pathname + next.search,
        as: tenants.stranger.token,
      });
      const own = idsOf(of(tenants.objects.stranger, name));
      expect(answer.resources.filter(({ id }) => !own.includes(id))).toEqual([]);
      expect(answer.text).not.toContain(shopMark);
    }
  });
});

/** Ids of the shop that the other account does not have; events are numbered per account. */
function beyondOwn(name: string): readonly string[] {
  const own = new Set(of(tenants.objects.stranger, name).map(({ id }) => id));
  const theirs = of(tenants.objects.shop, name)
    .map(({ id }) => id)
    .filter((id) => !own.has(id));
  expect(theirs.length).toBeGreaterThan(0);
  return theirs;
}

/** Filters every list by values that the shop's Owner sees, with every include and sort. */
async function verifyFilters(as: string, visible: Objects, hidden: string | null): Promise<void> {
  for (const { path, name, parameters } of lists()) {
    const shown = await api.ask({
      method: "GET",
      path: `${path}?page[size]=100`,
      as: tenants.shop.token,
    });
    const own = new Set(of(visible, name).map(({ id }) => id));
    const secret = shown.resources.filter(({ id }) => hidden !== null || !own.has(id));
    const filters = parameters.flatMap(
      (parameter) => /^filter\[(\w+)\]$/.exec(parameter.name)?.[1] ?? [],
    );
    const asked = new Set(
      secret.flatMap((resource) => filters.flatMap((filter) => valueFor(filter, resource))),
    );
    expect(asked.size).toBeGreaterThan(2);
    for (const query of asked) {
      const { ids, count, text } = await walk(as, path, `&${query}`);
      expect([query, ids.filter((id) => !own.has(id)), count]).toEqual([query, [], ids.length]);
      if (hidden !== null) expect(text).not.toContain(hidden);
    }
    const related = /relationships: (.*)\.$/.exec(
      parameters.find((parameter) => parameter.name === "include")?.schema.description ?? "",
    )?.[1];
    const order = /Comma list of (.*?);/.exec(
      parameters.find((parameter) => parameter.name === "sort")?.schema.description ?? "",
    )?.[1];
    const include = related === undefined ? "" : `&include=${related.replaceAll(" ", "")}`;
    for (const field of (order ?? "id").split(", ")) {
      const answer = await api.ask({
        method: "GET",
        path: `${path}?page[size]=100&sort=-${field}${include}`,
        as,
      });
      expect([field, sorted(answer.resources.map(({ id }) => id))]).toEqual([field, sorted(own)]);
      const wallets = new Set(of(visible, "wallet").map(({ id }) => id));
      const brought =
        related === undefined ? [] : answer.included.filter(({ type }) => type === "wallet");
      expect(brought.filter(({ id }) => !wallets.has(id))).toEqual([]);
      if (hidden !== null) expect(answer.text).not.toContain(hidden);
    }
  }
}

/** `filter[name]=value` with the value of a resource, where it is visible. */
function valueFor(
  filter: string,
  { id, attributes, relationships }: SeenResource,
): readonly string[] {
  const value =
    filter === "id" ? id : (attributes[filter] ?? relationships[filter]?.data?.id ?? null);
  return typeof value === "string" || typeof value === "number"
    ? [`filter[${filter}]=${encodeURIComponent(value)}`]
    : [];
}

describe("a member who was granted one wallet", () => {
  const granted = (): Objects => visibleIn(tenants.shop.wallets.ether);
  const visibleIn = (wallet: string): Objects =>
    Object.fromEntries(
      Object.entries(tenants.objects.shop).map(([name, rows]) => [
        name,
        rows.filter((row) => row.wallet_id === wallet),
      ]),
    );

  it("lists and counts only objects of that wallet, and without a grant none", async () => {
    for (const { path, name } of lists()) {
      const own = idsOf(of(granted(), name));
      const { ids, count } = await walk(tenants.clerk.token, path);
      expect([path, sorted(ids), count]).toEqual([path, own, own.length]);
      const nothing = await walk(tenants.newcomer.token, path);
      expect([nothing.ids, nothing.count]).toEqual([[], 0]);
    }
  });

  it("gets 400/5001 for objects of other wallets, and cannot change them", async () => {
    const before = await databaseDigest(database);
    for (const { path, name } of singles())
      for (const { id, wallet_id } of of(tenants.objects.shop, name)) {
        const answer = await api.ask({
          method: "GET",
          path: path.replace("{id}", id),
          as: tenants.clerk.token,
        });
        expect([path, describeResponse(answer)]).toEqual([
          path,
          wallet_id === tenants.shop.wallets.ether ? "200" : "400 5001",
        ]);
      }
    for (const [route, document] of Object.entries(changing)) {
      const [method = "", path = ""] = route.split(" ");
      if (!path.includes("{id}")) continue;
      const name = path.split("/")[1] ?? "";
      if (!(name in owned)) continue;
      const hidden = of(tenants.objects.shop, name).filter(
        (row) => row.wallet_id !== tenants.shop.wallets.ether,
      );
      for (const { id } of hidden.slice(0, 3)) {
        const body = document(tenants.shop);
        const answer = await api.ask({
          method,
          path: path.replace("{id}", id),
          as: tenants.clerk.token,
          headers: keyed(),
          ...(body === null ? {} : { body }),
        });
        expect([route, describeResponse(answer)]).toEqual([route, "400 5001"]);
      }
    }
    expect(await databaseDigest(database)).toEqual(before);
  });

  it("finds no object of another wallet with any filter, sort or include", async () => {
    await verifyFilters(tenants.clerk.token, granted(), null);
  });

  it("creates deposits in that wallet only, and cannot tell whether another wallet exists", async () => {
    const create = (wallet: string) =>
      api.ask({
        method: "POST",
        path: "/deposit/",
        as: tenants.clerk.token,
        body: newDeposit(wallet),
      });
    const before = await databaseDigest(database);
    expect(unidentified(await create(tenants.shop.wallets.bitcoin))).toBe(
      unidentified(await create("99999999")),
    );
    expect(await databaseDigest(database)).toEqual(before);
    expect((await create(tenants.shop.wallets.ether)).status).toBe(201);
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
        ? of(tenants.objects.shop, name)
        : await database.sql<{ id: string }>(accountWide[name] ?? "", [tenants.shop.accountId]);
    for (const [role, { token }] of Object.entries(tenants.roles) as [Role, Someone][]) {
      const body = changing[route]?.(tenants.shop) ?? null;
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
        (await api.ask({ method: "GET", path, as: tenants.roles.read_only.token })).resources
          .length,
      ).toBeGreaterThan(0);
  });
});
