import { describe, expect, it } from "vitest";
import { recordStatements } from "../../../test/bench/recorded-statements.ts";
import { useDatabase } from "../../../test/support/database.ts";
import type { SqlValue } from "../../platform/db/database.ts";
import { assembledStatement } from "../../platform/db/list-query.ts";
import { present } from "../../platform/kernel/assert.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import {
  readCallbackRows,
  readConfirmationRows,
  readFeeRows,
  readVolumeRows,
} from "./statistics.store.ts";
import { readTimeSpan } from "./time-span.ts";

/*
 * Every statistics statement can be answered from indexes alone, whichever wallets are requested: with every other access path
 * disabled, the plan still uses index-only scans. The benchmark measures the cost.
 */

const database = useDatabase();
const span = readTimeSpan(
  new Map([
    ["from", "2025-11-24"],
    ["to", "2026-11-24"],
  ]),
  systemClock,
);

/** The plan with the index created last: in an empty table, all that begin with the account cost the same, and the newest is used. */
async function planOf(
  index: string,
  text: string,
  values: readonly SqlValue[],
): Promise<readonly string[]> {
  const isUndone = new Error("undone");
  let lines: readonly string[] = [];
  const explain = database.db.transaction(async (tx) => {
    const run = (sql: string) => tx.query(assembledStatement<{ name: string }>("test", sql), []);
    for (const way of ["seqscan", "indexscan", "bitmapscan"])
      await run(`set local enable_${way} = off`);
    const [definition] = await run(`select pg_get_indexdef('${index}'::regclass) as name`);
    await run(`drop index ${index}`);
    await run(present(definition, "the index").name);
    const plan = await tx.query<{ "QUERY PLAN": string }>(
      assembledStatement("test", `explain ${text}`),
      values,
    );
    lines = plan.map((line) => line["QUERY PLAN"]);
    throw isUndone;
  });
  await expect(explain).rejects.toBe(isUndone);
  return lines;
}

describe("statistics statements", () => {
  it.each([
    ["volume", readVolumeRows, "transfer_charged"],
    ["fees", readFeeRows, "transfer_charged"],
    ["confirmations", readConfirmationRows, "transfer_timed"],
    ["callbacks", readCallbackRows, "callback_made"],
  ] as const)("%s uses indexes only", async (_name, read, index) => {
    for (const wallets of [null, ["11"], ["11", "12"]]) {
      const [recorded] = await recordStatements((db) =>
        read(db, { accountId: "1", wallets, span }),
      );
      const { text, values } = present(recorded, "the statement");
      const lines = await planOf(index, text, values);
      const scans = lines.filter((line) => / Scan .*\b(?:transfer|callback|event)\b/.test(line));
      expect(scans.length).toBeGreaterThan(0);
      for (const scan of scans) expect(scan).toContain("Index Only Scan");
      expect(lines.join("\n")).toContain(`Index Only Scan using ${index}`);
    }
  });
});
