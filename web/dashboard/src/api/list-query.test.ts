import { expect, it } from "vitest";
import { firstFound, queriesOf } from "./list-query.ts";

const query = {
  filter: { id: "17" },
  sort: "label",
  alternatives: [{ tracking_id: "17" }, { label: "17" }],
};

/** A list with two pages of what the filter `name` finds. */
function listOf(name: string) {
  const asked: string[] = [];
  const read = ({ filter }: { filter: Readonly<Record<string, string>> }, after: string) => {
    asked.push(`${Object.keys(filter).join()} after ${after}`);
    const isFound = name in filter;
    return Promise.resolve({
      data: isFound ? [`${name}${after}`] : [],
      next: isFound && after === "" ? "c1" : null,
    });
  };
  return { asked, read };
}

it("reads the alternatives one by one until something is found", async () => {
  const { asked, read } = listOf("tracking_id");
  expect(await firstFound(query, "", read)).toEqual({ data: ["tracking_id"], next: "1~c1" });
  expect(asked).toEqual(["id after ", "tracking_id after "]);
});

it("reads the next page with the filter of the first", async () => {
  const { asked, read } = listOf("tracking_id");
  expect(await firstFound(query, "1~c1", read)).toEqual({ data: ["tracking_idc1"], next: null });
  expect(asked).toEqual(["tracking_id after c1"]);
  const plain = listOf("id");
  expect(await firstFound(query, "", plain.read)).toEqual({ data: ["id"], next: "c1" });
  expect(await firstFound(query, "c1", plain.read)).toEqual({ data: ["idc1"], next: null });
  expect(plain.asked).toEqual(["id after ", "id after c1"]);
});

it("is empty when no alternative finds anything", async () => {
  expect(await firstFound(query, "", listOf("none").read)).toEqual({ data: [], next: null });
  expect(queriesOf({ filter: {}, sort: null })).toEqual([{ filter: {}, sort: null }]);
});
