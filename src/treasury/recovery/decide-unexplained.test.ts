import { beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { emptyDatabase } from "../../../test/support/database-backup.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { listOperatorAccounts } from "../../accounts/operator.store.ts";
import { present } from "../../platform/kernel/assert.ts";
import { type DecideContext, type Decision, decideUnexplained } from "./decide-unexplained.ts";
import { enterUnexplained, listUnexplained } from "./unexplained.store.ts";

const database = useDatabase();
const { db, sql } = database;
const clock = manualClock();
const chain = "SIM";
const release: Decision = { chain, txid: "0xab", reason: "the old deployment", payoutIds: [] };

beforeEach(async () => {
  await emptyDatabase(database);
  await sql("delete from unexplained_spend");
});

async function createAccount(isOperator: boolean): Promise<string> {
  const [row] = await sql<{ id: string }>(
    `insert into account (name, webhook_secret_sealed, created_at, is_operator)
     values ('Test', '\\x00', now(), $1) returning id`,
    [isOperator],
  );
  return present(row, "an account").id;
}

async function arrange(settlePaid: DecideContext["settlePaid"] = () => Promise.resolve([])) {
  const seen = { txid: "0xab", sender: "0xhot", claims: ["0xhot#3"], payments: [], feeUnits: 5n };
  await db.transaction((tx) => enterUnexplained(tx, chain, seen, null, clock.now()));
  return { db, clock, settlePaid, listOperatorAccounts } satisfies DecideContext;
}

const auditEntries = () =>
  sql<{ account: string; action: string; object: string | null; reason: string }>(
    `select account_id as account, action, object_id as object, summary ->> 'reason' as reason
     from audit_entry order by account_id, seq`,
  );

describe("decideUnexplained", () => {
  it("releases a transaction and writes it to the audit logs of all operator accounts only", async () => {
    const [operator, , other] = [
      await createAccount(true),
      await createAccount(false),
      await createAccount(true),
    ];
    const context = await arrange(() => Promise.reject(new Error("there is nothing to settle")));
    expect(await decideUnexplained(context, release)).toMatchObject({ payoutIds: [] });
    expect(await listUnexplained(db)).toMatchObject([
      { txid: "0xab", decidedAt: clock.now(), reason: release.reason, payoutIds: [] },
    ]);
    const entry = { action: "unexplained_spend.decided", object: null, reason: release.reason };
    expect(await auditEntries()).toEqual([
      { account: operator, ...entry },
      { account: other, ...entry },
    ]);
  });

  it("writes settled payouts to the audit logs of their accounts, too", async () => {
    const [operator, payer] = [await createAccount(true), await createAccount(false)];
    const context = await arrange((_tx, _made, ids) =>
      Promise.resolve(ids.map((id) => ({ accountId: payer, id }))),
    );
    await decideUnexplained(context, { ...release, payoutIds: ["7", "8"] });
    const { reason } = release;
    expect(await auditEntries()).toEqual([
      { account: operator, action: "unexplained_spend.decided", object: null, reason },
      { account: payer, action: "payout.settled", object: "7", reason },
      { account: payer, action: "payout.settled", object: "8", reason },
    ]);
  });

  it("rejects a second decision and leaves the first one", async () => {
    const context = await arrange();
    await decideUnexplained(context, release);
    await expect(decideUnexplained(context, { ...release, reason: "again" })).rejects.toThrow(
      "This transaction has already been resolved.",
    );
    expect(await listUnexplained(db)).toMatchObject([{ reason: release.reason }]);
  });

  it("stores nothing if the payouts cannot be settled", async () => {
    await createAccount(true);
    const context = await arrange(() => Promise.reject(new Error("not paid")));
    await expect(decideUnexplained(context, { ...release, payoutIds: ["7"] })).rejects.toThrow(
      "not paid",
    );
    expect(await listUnexplained(db)).toMatchObject([{ decidedAt: null }]);
    expect(await auditEntries()).toEqual([]);
  });

  it("returns null for a transaction that is not unexplained", async () => {
    expect(await decideUnexplained(await arrange(), { ...release, txid: "0xcd" })).toBeNull();
  });
});
