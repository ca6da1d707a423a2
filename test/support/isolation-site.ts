import { beforeAll, beforeEach, expect } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { formatTimestamp } from "../../src/platform/kernel/timestamp.ts";
import type { ApiResponse, SeenResource } from "./api-server.ts";
import { useDatabase } from "./database.ts";
import { payee, receiver } from "./payout-world.ts";
import {
  arrangeTwoTenants,
  newBatch,
  newBeneficiary,
  newEndpoint,
  type Objects,
  type Owned,
  owned,
  patch,
  type TwoTenants,
} from "./two-tenants.ts";
import { describeResponse, useWholeApi } from "./whole-api.ts";
import { newCalculation, newPayout, newRequirements } from "./whole-payouts.ts";
import { newDeposit, newWallet, type Tenant } from "./whole-tenant.ts";

/** Routes that change data, each with a valid document; `{id}` stands for an id of `owned`. */
export const changing: Readonly<Record<string, (tenant: Tenant) => JsonObject | null>> = {
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
  "POST /webhook-endpoint/": () => newEndpoint("someone"),
  "PATCH /webhook-endpoint/{id}/": () => patch("webhook-endpoint", { is_enabled: false }),
  "POST /webhook-endpoint/{id}/rotate-secret/": () => patch("webhook-endpoint", {}),
  "POST /webhook-endpoint/{id}/test/": () => null,
  "DELETE /webhook-endpoint/{id}/": () => null,
  "POST /callback/resend/": () => patch("callback-resend", { status: "failing" }),
  "POST /callback/test/": () => patch("callback-test", { url: "https://shop.example/" }),
  "POST /transfer/{id}/release/": () => patch("transfer", { reason: "known" }),
  "POST /transfer/{id}/return/": () =>
    patch("transfer", { travel_rule_info: receiver, reason: "known" }),
  "POST /transfer/{id}/return/calculate/": () => patch("payout-calculation", { to_address: payee }),
  "POST /payout/": ({ wallets }) => newPayout(wallets.ether),
  "POST /payout/calculate/": ({ wallets }) =>
    newCalculation(wallets.ether, { amount: "0.1", to_address: payee }),
  "POST /payout/requirements/": ({ wallets }) => newRequirements(wallets.ether, "0.1"),
  "POST /payout-batch/": ({ wallets }) => newBatch("payout-batch", wallets.ether),
  "POST /payout-batch/preview/": ({ wallets }) => newBatch("payout-batch-preview", wallets.ether),
  "POST /payout-batch/{id}/approve/": () => null,
  "POST /payout-batch/{id}/cancel/": () => null,
  "PATCH /payout/{id}/": () => patch("payout", { label: "changed" }),
  "POST /payout/{id}/approve/": () => null,
  "POST /payout/{id}/cancel/": () => null,
};

/** Some routes require an idempotency key; the others ignore it. */
export const keyed = () => ({ "idempotency-key": systemRandom.uuid() });

export const of = (objects: Objects, name: string) => present(objects[name], `objects of ${name}`);

/** The body of a refusal without the request id. */
export const unidentified = ({ text }: ApiResponse): string => text.replaceAll(/"id":"[^"]+"/g, "");

export const sorted = (ids: Iterable<string>) => [...ids].sort((a, b) => Number(a) - Number(b));
export const idsOf = (rows: readonly Owned[]) => sorted(rows.map(({ id }) => id));

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

export type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly schema: { readonly description?: string };
};
export type DescribedRoute = {
  readonly method: string;
  readonly path: string;
  readonly name: string;
  readonly parameters: readonly Parameter[];
};

/** Two accounts with objects of every kind, and every route that `/openapi.json` describes. */
export function useTwoTenants() {
  const database = useDatabase();
  const api = useWholeApi(database);
  let tenants: TwoTenants;
  beforeAll(async () => {
    tenants = await arrangeTwoTenants(api);
  });
  // Without a worker here, payouts would be paused two minutes after the last block.
  beforeEach(async () => {
    const now = formatTimestamp(api.clock.now());
    await database.sql("update chain_cursor set caught_up_at = $1", [now]);
  });

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
      const requested = new Set(
        secret.flatMap((resource) => filters.flatMap((filter) => valueFor(filter, resource))),
      );
      expect(requested.size).toBeGreaterThan(2);
      for (const query of requested) {
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

  return {
    database,
    api,
    describedRoutes,
    lists,
    singles,
    walk,
    beyondOwn,
    verifyFilters,
    get tenants() {
      return tenants;
    },
  };
}
