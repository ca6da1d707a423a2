import { expect, test } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { Unavailable } from "../kernel/unavailable.ts";
import { statement } from "./database.ts";
import { endsConnection } from "./judge-error.ts";

const { db } = useDatabase();
const makeReadOnly = statement("test.make-read-only", "set transaction read only");
const write = statement("test.write", "delete from chain_cursor");

test("a read-only database is unavailable, and the connection that said so is of no more use", async () => {
  const refused = await db
    .transaction(async (tx) => {
      await tx.query(makeReadOnly);
      await tx.query(write);
    })
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Unavailable);
  expect(endsConnection((refused as Unavailable).cause)).toBe(true);
});
