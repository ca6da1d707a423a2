import { describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { fc } from "../../../test/support/property.ts";
import { statement } from "./database.ts";

/* Arrays reach PostgreSQL as they are, whatever their elements contain. */

const database = useDatabase();
const texts = statement<{ items: (string | null)[] }>("test.texts", "select $1::text[] as items");
const bytes = statement<{ items: string[] }>(
  "test.bytes",
  "select array(select encode(item, 'hex') from unnest($1::bytea[]) as item) as items",
);
const numbers = statement<{ items: string }>(
  "test.numbers",
  "select ($1::numeric[])::text as items",
);
const flags = statement<{ items: boolean[] }>("test.flags", "select $1::boolean[] as items");

describe("an array", () => {
  it("arrives with every text unchanged: quotes, backslashes, commas, braces, blanks, NULL as a word", async () => {
    const special = [
      "",
      " ",
      "null",
      "NULL",
      "a,b",
      "{x}",
      '"',
      "\\",
      '\\"',
      "é",
      "line\nbreak",
      null,
    ];
    const [row] = await database.db.query(texts, [special]);
    expect(row?.items).toEqual(special);
    const word = fc.option(fc.string({ unit: "binary" }).filter((text) => !text.includes("\0")));
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 20 }), async (items) => {
        const sent = items.map((item) => item?.toWellFormed() ?? null);
        expect((await database.db.query(texts, [sent]))[0]?.items).toEqual(sent);
      }),
      { numRuns: 100 },
    );
  });

  it("arrives with bytes, large numbers and flags unchanged", async () => {
    const raw = [new Uint8Array([0, 92, 34, 255]), new Uint8Array()];
    expect((await database.db.query(bytes, [raw]))[0]?.items).toEqual(["005c22ff", ""]);
    const large = 123_456_789_012_345_678_901_234_567_890n;
    expect((await database.db.query(numbers, [[large, -1n, 7]]))[0]?.items).toBe(`{${large},-1,7}`);
    expect((await database.db.query(flags, [[true, false]]))[0]?.items).toEqual([true, false]);
  });
});
