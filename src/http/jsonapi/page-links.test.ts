import { describe, expect, it } from "vitest";
import { owner } from "../../../test/support/api-server.ts";
import { arrangeBoxes, boxApi, errorCodes } from "../../../test/support/box-api.ts";
import { useDatabase } from "../../../test/support/database.ts";

/** Pagination by number and by cursor over real rows. */

const database = useDatabase();
const { ask } = boxApi(database);

describe("lists", () => {
  it("have ten items per page, newest first, with links to the other pages", async () => {
    await arrangeBoxes(database, 23);
    const page = await ask("GET", "/box/?page[number]=2");
    expect(Object.keys(page.document)).toEqual(["links", "data", "meta"]);
    expect(page.resources.map((resource) => resource.id)).toEqual([
      "13",
      "12",
      "11",
      "10",
      "9",
      "8",
      "7",
      "6",
      "5",
      "4",
    ]);
    expect(page.pagination).toEqual({ page: 2, pages: 3, count: 23 });
    const at = (number: number) => `http://pay.example/box/?page%5Bnumber%5D=${number}`;
    expect(page.links).toEqual({ first: at(1), last: at(3), next: at(3), prev: at(1) });
    const last = await ask("GET", "/box/?page[number]=last");
    expect([last.resources.length, last.links.next, last.pagination.page]).toEqual([3, null, 3]);
  });

  it("keep every other parameter in links, sorted by name, with encoded brackets", async () => {
    await arrangeBoxes(database, 5);
    const answer = await ask(
      "GET",
      "/box/?sort=label&page%5Bsize%5D=2&filter[label]=ox%20&fields[box]=label",
    );
    expect(answer.links.next).toBe(
      "http://pay.example/box/?fields%5Bbox%5D=label&filter%5Blabel%5D=ox%20&page%5Bnumber%5D=2&page%5Bsize%5D=2&sort=label",
    );
  });

  it("accept page and page_size as aliases of page[number] and page[size]", async () => {
    await arrangeBoxes(database, 23);
    const page = await ask("GET", "/box/?page=2&page_size=5");
    expect(page.resources.map((resource) => resource.id)).toEqual(["18", "17", "16", "15", "14"]);
    expect(page.links.next).toBe("http://pay.example/box/?page%5Bnumber%5D=3&page_size=5");
    expect(
      (await ask("GET", page.links.next!.slice("http://pay.example".length))).resources[0]?.id,
    ).toBe("13");
    for (const number of ["9", "0"]) {
      const beyond = await ask("GET", `/box/?page=${number}`);
      expect([beyond.status, beyond.errors[0]?.source]).toEqual([404, { parameter: "page" }]);
    }
    const both = await ask("GET", "/box/?page=2&page%5Bnumber%5D=2");
    expect([both.status, both.errors[0]?.source]).toEqual([400, { parameter: "page" }]);
  });

  it("have one empty page when they are empty", async () => {
    await arrangeBoxes(database, 0);
    const answer = await ask("GET", "/box/");
    expect([answer.resources, answer.pagination]).toEqual([[], { page: 1, pages: 1, count: 0 }]);
    expect(answer.links.first).toBe(answer.links.last);
    expect((await ask("GET", "/box/?filter[help_email]=a@b.c")).pagination.count).toBe(0);
    expect((await ask("GET", "/box/?filter[help_email]=a@b.c&page[number]=2")).status).toBe(404);
    expect((await ask("GET", "/box/?filter[help_email]=a@b.c&page[after]=")).links.next).toBe(null);
  });

  it("fall back to ten for a size out of range and answer 404 for a page out of range", async () => {
    await arrangeBoxes(database, 12);
    for (const size of ["0", "-1", "abc", "101", "", "1e1", "99999999999"])
      expect((await ask("GET", `/box/?page[size]=${size}`)).resources, size).toHaveLength(10);
    expect((await ask("GET", "/box/?page[size]=100")).resources).toHaveLength(12);
    for (const number of ["0", "3", "-1", "abc", "1.5", "999999999999", "9".repeat(30)]) {
      const answer = await ask("GET", `/box/?page[number]=${number}`);
      expect([answer.status, errorCodes(answer)], number).toEqual([404, [["404", "page[number]"]]]);
    }
    expect((await ask("GET", "/box/?page[number]=")).pagination.page).toBe(1);
  });

  it.each([
    "",
    "label",
    "-label",
    "status,-label",
    "-status",
    "id",
    "-created_at",
    "created_at,-id",
  ])(
    "visit each item once in the same order by number and by cursor, sorted by %s",
    async (sort) => {
      await arrangeBoxes(database, 23);
      const walk = async (from: string): Promise<string[]> => {
        const seen: string[] = [];
        for (let url: string | null = from; url !== null; ) {
          const { resources, links } = await ask("GET", url);
          seen.push(...resources.map((resource) => resource.id));
          url = links.next;
        }
        return seen;
      };
      const sorting = sort === "" ? "" : `&sort=${sort}`;
      const byNumber = await walk(`/box/?page[size]=4${sorting}`);
      expect(new Set(byNumber).size).toBe(23);
      expect(await walk(`/box/?page[size]=4&page[after]=${sorting}`)).toEqual(byNumber);
      expect(await walk(`/box/?page[size]=4${sorting.replace("sort", "ordering")}`)).toEqual(
        byNumber,
      );
    },
  );

  it("answer 400 for a cursor of another order and for an invalid one", async () => {
    await arrangeBoxes(database, 12);
    const cursor =
      new URL((await ask("GET", "/box/?page[after]=")).links.next ?? "").searchParams.get(
        "page[after]",
      ) ?? "";
    expect((await ask("GET", `/box/?page[after]=${cursor}`)).resources).toHaveLength(2);
    const forged = (keys: unknown) => Buffer.from(JSON.stringify(keys)).toString("base64url");
    const bad = [
      `${cursor}&sort=label`,
      "garbage",
      "%00",
      forged([]),
      forged({}),
      forged(["-created_at,-id", "x", "1"]),
      forged(["-created_at,-id", null, "1"]),
      forged(["-created_at,-id", "2026-01-01", "1; drop table wallet"]),
      forged(["-created_at,-id", "2026-01-01", "9".repeat(40)]),
      forged(["-created_at,-id", 1, 2]),
    ];
    for (const after of bad) {
      const answer = await ask("GET", `/box/?page[after]=${after}`);
      expect([answer.status, errorCodes(answer)], after).toEqual([400, [["1007", "page[after]"]]]);
    }
  });

  it("show only the caller's account", async () => {
    await arrangeBoxes(database, 3);
    expect((await ask("GET", "/box/", { as: { ...owner, accountId: "2" } })).resources).toEqual([]);
  });
});
