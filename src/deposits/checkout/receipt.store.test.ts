import { expect, it } from "vitest";
import { recordStatements } from "../../../test/bench/recorded-statements.ts";
import { useDatabase } from "../../../test/support/database.ts";
import { arrangeAccounts } from "../../../test/support/dispatching.ts";
import { assembledStatement } from "../../platform/db/list-query.ts";
import { present } from "../../platform/kernel/assert.ts";
import { countReceipts } from "./receipt.store.ts";

/* Anyone with a payment page's link has its receipts counted, while the deposit is locked: the cost must not grow with the account's emails. */

const database = useDatabase();

it("the receipts of a deposit are counted by an index of receipts", async () => {
  await arrangeAccounts(database, ["1"]);
  await database.sql(
    `insert into email (account_id, kind, content, status, created_at, updated_at)
     select 1, case when n % 2 = 0 then 'receipt' else 'notification' end, jsonb_build_object('deposit_id', n::text), 'sent',
            '2026-01-01', '2026-01-01'
     from generate_series(1, 2000) as n`,
  );
  await database.sql("analyze email");
  const deposit = { accountId: "1", id: "42" };
  const [recorded] = await recordStatements((db) => countReceipts(db, deposit, "a@example.com"));
  const { text, values } = present(recorded, "the statement");
  const plan = await database.db.query<{ "QUERY PLAN": string }>(
    assembledStatement("test", `explain (costs off) ${text}`),
    values,
  );
  const lines = plan.map((line) => line["QUERY PLAN"]).join("\n");
  expect(lines).toMatch(/ Scan (?:using|on) email_receipt\b/);
  expect(await countReceipts(database.db, deposit, "a@example.com")).toEqual({
    asked: 1,
    isWaiting: false,
  });
});
