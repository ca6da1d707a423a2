import { describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import type { Executor, SqlValue } from "../../platform/db/database.ts";
import { assembledStatement } from "../../platform/db/list-query.ts";
import { present } from "../../platform/kernel/assert.ts";
import { readCredentials } from "./credential.store.ts";

/* Programs may log in many times a minute, and their sessions are stored for a day. The list of credentials must read only the newest one. */

const { db } = useDatabase();

describe("readCredentials", () => {
  it("finds each credential's last use with an index", async () => {
    const requests: (readonly [string, readonly SqlValue[]])[] = [];
    const recording: Executor = {
      query: ({ text }, values = []) => {
        requests.push([text, values]);
        return Promise.resolve([]);
      },
    };
    await readCredentials(recording, "1");
    const [text, values] = present(requests[0], "the statement");
    const plan = await db.transaction(async (tx) => {
      await tx.query(assembledStatement("test", "set local enable_seqscan = off"));
      return tx.query(
        assembledStatement<{ "QUERY PLAN": string }>("test", `explain (costs off) ${text}`),
        values,
      );
    });
    const lines = plan.map((line) => line["QUERY PLAN"].trim());
    expect(lines).toContainEqual(
      expect.stringMatching(
        /Index Only Scan Backward using token_family_of_credential on token_family/,
      ),
    );
  });
});
