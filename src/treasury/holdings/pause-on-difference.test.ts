import { describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { type LastComparison, upsertReconciliation } from "../../ledger/reconcile.store.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { pauseOnDifference } from "./pause-on-difference.ts";

const database = useDatabase();
const { db, sql } = database;

const one = "7001" as CurrencyId;
const other = "7002" as CurrencyId;

let chains = 0;

function setUp() {
  chains += 1;
  const chain = `D${chains}`;
  const clock = manualClock();
  return {
    chain,
    clock,
    compare: async (currency: CurrencyId, height: number, chainUnits: bigint) => {
      const [last] = await sql<LastComparison>(
        `select checked_at as "checkedAt", ledger_units as "ledgerUnits", differs_since as "differsSince"
         from reconciliation where chain = $1 and currency = $2`,
        [chain, currency],
      );
      const found = { chain, currency, height, ledgerUnits: 10n, chainUnits };
      return upsertReconciliation(db, found, last ?? null, clock.now());
    },
    judge: (
      currencies: readonly CurrencyId[] = [one, other],
      beyondFlight: ReadonlySet<string> = new Set(),
    ) =>
      pauseOnDifference(
        { db, clock, logger: silentLogger, stopAfterSeconds: 600, beyondFlight, gains: new Map() },
        chain,
        currencies,
      ),
    stops: async () =>
      (
        await sql<{ by: boolean; reason: string }>(
          `select by_reconciliation as by, reason from payout_stop where scope = 'chain/' || $1 order by by`,
          [chain],
        )
      ).map(({ by, reason }) => `${by ? "books" : "hand"}: ${reason}`),
  };
}

describe("pauseOnDifference", () => {
  it("only watches a difference at one block, pauses at a second one, and resumes when all agree", async () => {
    const { compare, judge, stops } = setUp();
    await compare(one, 5, 10n);
    await compare(other, 5, 9n);
    expect([await judge(), await stops()]).toEqual(["watched", []]);
    await compare(other, 5, 9n);
    expect(await judge()).toBe("watched");
    await compare(other, 6, 8n);
    expect(await judge()).toBe("stopped");
    const said =
      "books: the ledger and the chain differ: currency 7002: 10 booked, 8 held at block 6";
    expect(await stops()).toEqual([said]);
    await compare(one, 7, 11n);
    await compare(other, 7, 10n);
    expect([await judge(), await stops()]).toEqual(["watched", [said]]);
    await compare(one, 8, 10n);
    expect([await judge(), await stops()]).toEqual(["equal", []]);
    await compare(one, 9, 11n);
    expect([await judge(), await stops()]).toEqual(["watched", []]);
  });

  it("pauses on a lasting difference even without new blocks", async () => {
    const { clock, compare, judge, stops } = setUp();
    await compare(one, 5, 9n);
    clock.advance(599);
    await compare(one, 5, 9n);
    expect(await judge()).toBe("watched");
    clock.advance(1);
    await compare(one, 5, 9n);
    expect(await judge()).toBe("stopped");
    expect(await stops()).toHaveLength(1);
  });

  it("leaves a kill switch on, and ignores currencies that are no longer followed", async () => {
    const { chain, compare, judge, stops } = setUp();
    await sql(
      `insert into payout_stop (scope, by_reconciliation, reason, created_at)
     values ('chain/' || $1, false, 'audit', '2026-01-01T00:00:00Z')`,
      [chain],
    );
    await compare(one, 5, 9n);
    await compare(one, 6, 9n);
    expect(await judge()).toBe("stopped");
    expect(await stops()).toHaveLength(2);
    expect(await judge([other])).toBe("equal");
    expect(await stops()).toEqual(["hand: audit"]);
  });
});
