import pg from "pg";
import { describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { Unavailable } from "../kernel/unavailable.ts";
import { asUnavailable, endsConnection } from "./classify-error.ts";
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

describe("a database that panics because it cannot write its log", () => {
  it("counts as unavailable, whatever the state that it names", () => {
    const panic = new pg.DatabaseError("could not write to log file", 0, "error");
    panic.severity = "PANIC";
    panic.code = "XX000";
    expect(asUnavailable(panic)).toBeInstanceOf(Unavailable);
    panic.severity = "ERROR";
    expect(asUnavailable(panic)).toBe(panic);
  });
});
