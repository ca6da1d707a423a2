import { describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { Unavailable } from "../kernel/unavailable.ts";
import { endsConnection } from "./classify-error.ts";
import { statement } from "./database.ts";

const { db } = useDatabase();
const makeReadOnly = statement("test.make-read-only", "set transaction read only");
const write = statement("test.write", "delete from chain_cursor");

describe("a read-only database", () => {
  it("counts as unavailable, and its connection is not used again", async () => {
    const refused = await db
      .transaction(async (tx) => {
        await tx.query(makeReadOnly);
        await tx.query(write);
      })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Unavailable);
    expect(endsConnection((refused as Unavailable).cause)).toBe(true);
  });
});
