import { describe, expect, it } from "vitest";
import { boxApi } from "../../../test/support/box-api.ts";
import { box, boxFields } from "../../../test/support/box-definitions.ts";
import { useDatabase } from "../../../test/support/database.ts";
import { fc } from "../../../test/support/property.ts";

/** Any request gets a well-formed response and never a 5xx. */

const database = useDatabase();
const { ask } = boxApi(database);

/** Documents of the right shape with arbitrary values. */
const randomBox = fc
  .record({
    attributes: fc.record(
      Object.fromEntries(
        Object.keys(boxFields).map((name) => [
          name,
          fc.oneof(fc.jsonValue(), fc.double(), fc.string({ unit: "binary" })),
        ]),
      ),
      { requiredKeys: [] },
    ),
    id: fc.oneof(fc.jsonValue(), fc.constant("1002")),
  })
  .map(({ attributes, id }) =>
    JSON.stringify({
      data: {
        type: "box",
        attributes,
        relationships: { currency: { data: { type: "currency", id } } },
      },
    }),
  );

describe("random requests", () => {
  it("answers no document with a 5xx", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.json(),
          fc
            .jsonValue()
            .map((data) =>
              JSON.stringify({ data: { type: "box", attributes: data, relationships: data } }),
            ),
          fc.string({ unit: "binary" }),
          randomBox,
        ),
        async (body) => {
          const { status } = await ask("POST", "/box/", { body });
          expect([201, 400, 403, 409]).toContain(status);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("answers no query string with a 5xx", async () => {
    const name = fc.oneof(
      fc.constantFrom(
        ...Object.keys(box.filters).map((filter) => `filter[${filter}]`),
        "sort",
        "page[after]",
        "page[number]",
        "page[size]",
        "include",
        "fields[box]",
      ),
      fc.string(),
    );
    const value = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.integer().map(String),
      fc.constantFrom("1", "2026-01-01", "label", "%", "\\"),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, value), { maxLength: 4 }), async (parameters) => {
        const query = parameters
          .map((pair) => pair.map((part) => encodeURIComponent(part.toWellFormed())).join("="))
          .join("&");
        const { status } = await ask("GET", `/box/?${query}`);
        expect([200, 400, 404]).toContain(status);
      }),
      { numRuns: 300 },
    );
  });
});
