import { describe, expect, it } from "vitest";
import type { SeenResource } from "../support/api-server.ts";
import { depositCount, useConventions } from "../support/conventions-site.ts";
import { useDatabase } from "../support/database.ts";
import { describeResponse } from "../support/whole-api.ts";
import { newDeposit } from "../support/whole-tenant.ts";

/*
 * The wire rules of lists on the real service: pages, cursors, sort, filters, include and sparse fields. Rules for every list are tested on
 * every list of `/openapi.json`.
 */

const conventions = useConventions(useDatabase());
const { create, get, lists } = conventions;

describe("lists", () => {
  const ids = (resources: readonly SeenResource[]) => resources.map(({ id }) => Number(id));

  const labelOf = ({ attributes }: SeenResource) => attributes["label"] as string;

  it("have ten items per page by default, and accept sizes from 1 to 100", async () => {
    for (const [size, shown] of [
      [undefined, 10],
      ["1", 1],
      ["20", 20],
      ["0", 10],
      ["101", 10],
      ["-5", 10],
      ["x", 10],
      ["1.5", 10],
      ["", 10],
    ] as const) {
      const { resources, pagination } = await get(
        size === undefined ? "/deposit/" : `/deposit/?page[size]=${size}`,
      );
      expect([size, resources.length, pagination.pages]).toEqual([
        size,
        shown,
        Math.ceil(pagination.count / shown),
      ]);
    }
    expect((await get("/deposit/?page[size]=100")).resources.length).toBe(depositCount);
  });

  it("have absolute links with the configured address that keep all other parameters and work", async () => {
    const query =
      "filter[label]=label&sort=label,-created_at&fields[deposit]=label,wallet&include=wallet&page[size]=5";
    let path = `/deposit/?${query}&page[number]=1`;
    const walked: string[] = [];
    const seen = new Set<string>();
    for (;;) {
      const { links, resources, pagination } = await get(path, conventions.stage().shop.token, {
        host: "evil.example",
      });
      const page = new URL(links.first);
      expect(page.origin + page.pathname).toBe("http://pay.example/deposit/");
      for (const link of [links.first, links.last, links.next, links.prev])
        if (typeof link === "string")
          expect(Object.fromEntries(new URL(link).searchParams)).toMatchObject({
            "filter[label]": "label",
            sort: "label,-created_at",
            "fields[deposit]": "label,wallet",
            include: "wallet",
            "page[size]": "5",
          });
      expect(pagination.page).toBe(walked.length / 5 + 1);
      for (const { id } of resources) seen.add(id);
      walked.push(...resources.map(({ id }) => id));
      if (links.next === null) {
        expect([pagination.page, pagination.count]).toEqual([pagination.pages, walked.length]);
        expect(links.last).toContain(`page%5Bnumber%5D=${pagination.pages}`);
        break;
      }
      const next = new URL(links.next);
      path = next.pathname + next.search;
    }
    expect(seen.size).toBe(walked.length);
    expect(walked.length).toBe(depositCount - 1);
  });

  it("visit each item once with page[after], in the order of the pages", async () => {
    expect(lists().length).toBeGreaterThan(20);
    for (const { path } of lists()) {
      const size = path === "/rates/" ? 100 : 7;
      const numbered: string[] = [];
      for (let page = 1; ; page += 1) {
        const answer = await get(`${path}?page[size]=${size}&page[number]=${page}`);
        expect([path, describeResponse(answer)]).toEqual([path, "200"]);
        const { resources, links } = answer;
        numbered.push(...resources.map(({ id }) => id));
        if (links.next === null) break;
      }
      const walked: string[] = [];
      let next: string | null = `${path}?page[size]=${size}&page[after]=`;
      while (next !== null) {
        const { resources, links } = await get(next);
        walked.push(...resources.map(({ id }) => id));
        next =
          links.next === null ? null : new URL(links.next).pathname + new URL(links.next).search;
      }
      expect([path, walked]).toEqual([path, numbered]);
      expect(new Set(walked).size).toBe(walked.length);
    }
  });

  it("are sorted newest first by default, take sort and ordering, and break ties by id", async () => {
    const all = (query: string) =>
      get(`/deposit/?page[size]=100&${query}`).then(({ resources }) => resources);
    const byAge = ids(await all(""));
    expect(byAge).toEqual(byAge.toSorted((a, b) => b - a));
    expect(ids(await all("sort=id"))).toEqual(byAge.toReversed());
    expect(ids(await all("ordering=id"))).toEqual(byAge.toReversed());
    const labeled = await all("sort=label&filter[label]=label");
    const expected = labeled.toSorted(
      (a, b) => 10_000 * labelOf(a).localeCompare(labelOf(b)) + Number(a.id) - Number(b.id),
    );
    expect(ids(labeled)).toEqual(ids(expected));
    const reversed = await all("sort=-label&filter[label]=label");
    expect(ids(reversed)).toEqual(ids(labeled).toReversed());
  });

  it("filter by value, by part and by bounds, alone and combined", async () => {
    const found = async (query: string) =>
      (await get(`/deposit/?page[size]=100&${query}`)).pagination.count;
    const paid = `filter[id]=${conventions.stage().ids["deposit"] ?? ""}`;
    for (const amount of ["1.5", "1.50", "1.500000000000000000", "01.5", "15e-1"])
      expect([amount, await found(`${paid}&filter[target_paid]=${amount}`)]).toEqual([amount, 1]);
    expect(await found("filter[target_paid]=1.51")).toBe(0);
    expect(await found("filter[label]=LABEL 1")).toBe(6);
    expect(await found("filter[label]=%25")).toBe(0);
    expect(await found("filter[tracking_id]=order 1&filter[status]=2&filter[wallet_type]=1")).toBe(
      11,
    );
    expect(await found("filter[created_at_to]=2020-01-01")).toBe(0);
    expect(await found("filter[created_at_from]=2020-01-01&filter[label]=paid")).toBe(1);
    expect(await found("filter[wallet_from]=5")).toBe(0);
    expect(await found("filter[wallet]=99999999999999999999")).toBe(0);
  });

  it("include each related object once, and return only the requested fields", async () => {
    const { resources, included } = await get(
      "/deposit/?page[size]=100&include=wallet,currency,wallet.currency&fields[deposit]=label,wallet&fields[wallet]=label&fields[currency]=alpha",
    );
    for (const { attributes, relationships } of resources)
      expect([Object.keys(attributes), Object.keys(relationships)]).toEqual([
        ["label"],
        ["wallet"],
      ]);
    const names = included.map(({ type, id }) => `${type} ${id}`);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(
      expect.arrayContaining([
        `wallet ${conventions.stage().shop.wallets.merchant}`,
        "currency 840",
      ]),
    );
    for (const { type, attributes } of included)
      expect(Object.keys(attributes)).toEqual([type === "wallet" ? "label" : "alpha"]);
    expect((await get("/deposit/?include=")).included).toEqual([]);
    expect((await get("/deposit/")).document).not.toHaveProperty("included");
    const one = await create(newDeposit(conventions.stage().shop.wallets.ether));
    expect((await get(`/deposit/${one.one.id}/?include=wallet`)).included).toHaveLength(1);
  });
});
