import { describe, expect, it } from "vitest";
import { arrangeBoxes, boxApi, errorCodes } from "../../../test/support/box-api.ts";
import { useDatabase } from "../../../test/support/database.ts";

/** Every accepted and every rejected query parameter of lists and objects. */

const database = useDatabase();
const { ask } = boxApi(database);

describe("query parameters", () => {
  it.each([
    ["foo=1", "foo"],
    ["status=3", "status"],
    ["page=2&page[number]=2", "page"],
    ["page_size=2&page[size]=2", "page_size"],
    ["page[offset]=2", "page[offset]"],
    ["filter=x", "filter"],
    ["page[limit]=2", "page[limit]"],
    ["filter[]=2", "filter[]"],
    ["filter[nope]=1", "filter[nope]"],
    ["filter[label.icontains]=1", "filter[label.icontains]"],
    ["filter[__proto__]=1", "filter[__proto__]"],
    ["filter[constructor]=1", "filter[constructor]"],
    ["filter[status]=", "filter[status]"],
    ["filter[status]=2", "filter[status]"],
    ["filter[id]=0", "filter[id]"],
    ["filter[id]=12a", "filter[id]"],
    ["filter[id]=123456789", "filter[id]"],
    ["filter[id]=1%0a", "filter[id]"],
    [`filter[label]=${"x".repeat(33)}`, "filter[label]"],
    ["filter[label]=a%00b", "filter[label]"],
    ["filter[created_at_from]=yesterday", "filter[created_at_from]"],
    ["filter[created_at_from]=2026-02-30", "filter[created_at_from]"],
    ["filter[needs_activation]=maybe", "filter[needs_activation]"],
    ["sort=nope", "sort"],
    ["sort=id,nope", "sort"],
    ["sort=label&sort=id", "sort"],
    ["sort=label&ordering=id", "ordering"],
    ["ordering=nope", "ordering"],
    ["include=nope", "include"],
    ["include=friend", "include"],
    ["include=currency.nope", "include"],
    ["include=constructor", "include"],
    ["page[size]=1&page[size]=2", "page[size]"],
    ["page[after]=&page[number]=1", "page[after]"],
    ["fields[nothing]=x", "fields[nothing]"],
  ])("answer %s with 400 at %s", async (query, parameter) => {
    const answer = await ask("GET", `/box/?${query}`);
    expect([answer.status, errorCodes(answer)]).toEqual([400, [["1007", parameter]]]);
  });

  it.each([
    ["filter[label]=BOX%202", 5],
    ["filter[label]=1&filter[label]=22", 1],
    ["filter[label]=%25", 0],
    ["filter[label]=_", 0],
    ["filter[status]=1", 4],
    ["filter[status]=1&filter[label]=0", 2],
    ["filter[id]=7", 1],
    ["filter[needs_activation]=TRUE", 1],
    ["filter[created_at_from]=2026-01-12", 2],
    ["filter[created_at_from]=2026-01-12T00:00:00.000001Z", 0],
    ["filter[created_at_to]=2026-01-01", 1],
    ["filter[created_at_to]=2026-01-02T00:00:00Z", 3],
    ["filter[created_at_to]=2026-01-02T02:00:00+02:00", 3],
    ["filter[created_at_to]=2026-01-02T02:00:00%2B02:00", 3],
    ["filter%5Bstatus%5D=1&page%5Bsize%5D=100", 4],
    ["sort=", 23],
  ])("with %s match %i rows", async (query, count) => {
    await arrangeBoxes(database, 23);
    expect((await ask("GET", `/box/?${query}`)).pagination.count).toBe(count);
  });

  it.each(["sort=", "sort=,", "sort=%20", "ordering=%20,%20"])(
    "sort by the default order with %s",
    async (query) => {
      await arrangeBoxes(database, 5);
      const idsOf = async (url: string) => (await ask("GET", url)).resources.map(({ id }) => id);
      expect(await idsOf(`/box/?${query}`)).toEqual(await idsOf("/box/"));
    },
  );

  it("include related resources once; without include there is no included member", async () => {
    await arrangeBoxes(database, 4);
    const answer = await ask("GET", "/box/?include=currency.parent,currency");
    expect(Object.keys(answer.document)).toEqual(["links", "data", "included", "meta"]);
    expect(answer.included.map((one) => one.id).sort()).toEqual(["1002", "2015"]);
    expect((await ask("GET", "/box/2/?include=currency")).included).toHaveLength(1);
    expect((await ask("GET", "/box/2/?include=")).included).toEqual([]);
  });

  it("select attributes and relationships with fields; an empty fields selects none", async () => {
    await arrangeBoxes(database, 1);
    const only = (query: string) => ask("GET", `/box/1/?${query}`);
    expect((await only("fields[box]=label,currency,nope")).one).toEqual({
      type: "box",
      id: "1",
      attributes: { label: "box 1" },
      relationships: { currency: { data: { type: "currency", id: "2015" } } },
    });
    expect((await only("fields[box]=")).one).toEqual({ type: "box", id: "1" });
    expect(
      (await only("include=currency&fields[box]=label&fields[currency]=alpha")).included,
    ).toEqual([{ type: "currency", id: "2015", attributes: { alpha: "C2015" } }]);
  });

  it("of a single object accept no filter, sort or page", async () => {
    for (const query of ["filter[label]=x", "sort=label", "page[size]=1"])
      expect((await ask("GET", `/box/1/?${query}`)).status).toBe(400);
  });
});
