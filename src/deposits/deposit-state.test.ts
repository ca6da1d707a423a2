import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { useDatabase } from "../../test/support/database.ts";
import {
  arrangeDeposit,
  arrangeWallet,
  depositWorld,
  eth,
  fillPool,
  usd,
} from "../../test/support/deposit-world.ts";
import type { Instant } from "../platform/kernel/clock.ts";
import { noSums } from "./deposit.ts";
import { type DepositStateFacts, stateOfDeposit } from "./deposit-state.ts";
import { depositStatus, type StatusReason } from "./deposit-status.ts";
import { saveDepositOutcomes } from "./payments/outcome.store.ts";

// What people read as a deposit's status, from the wire's status and the sums received.

const requested = 10_000n;
const at = 1_000_000 as Instant;

function facts(overrides: Partial<DepositStateFacts> = {}): DepositStateFacts {
  return {
    status: depositStatus.created,
    statusReason: null,
    targetAmountRequested: requested,
    inaccuracy: null,
    toleranceBelow: null,
    toleranceAbove: null,
    acceptedAt: null,
    sums: noSums,
    blockedPayments: 0,
    ...overrides,
  };
}

function canceled(statusReason: StatusReason): DepositStateFacts {
  return facts({ status: depositStatus.canceled, statusReason });
}

const cases: readonly (readonly [string, DepositStateFacts])[] = [
  ["new", facts()],
  ["pending", facts({ sums: { ...noSums, sourcePaidPending: 5n, targetPaidPending: requested } })],
  ["pending", facts({ sums: { ...noSums, sourcePaidPending: 5n } })],
  ["pending", facts({ sums: { ...noSums, sourcePaid: 5n, sourcePaidPending: 5n } })],
  ["partially_paid", facts({ sums: { ...noSums, sourcePaid: 5n, targetPaid: 4_000n } })],
  ["paid", facts({ targetAmountRequested: null, sums: { ...noSums, sourcePaid: 5n } })],
  [
    "pending",
    facts({
      targetAmountRequested: null,
      sums: { ...noSums, sourcePaid: 5n, sourcePaidPending: 1n },
    }),
  ],
  ["paid", facts({ status: depositStatus.paid, sums: { ...noSums, enrolled: 10_050n } })],
  [
    "overpaid",
    facts({
      status: depositStatus.paid,
      acceptedAt: at,
      sums: { ...noSums, enrolled: 14_900n, commission: 100n },
    }),
  ],
  [
    "paid",
    facts({
      status: depositStatus.paid,
      acceptedAt: at,
      inaccuracy: 100n,
      sums: { ...noSums, enrolled: 10_100n },
    }),
  ],
  // An accepted shortfall.
  [
    "paid",
    facts({ status: depositStatus.paid, acceptedAt: at, sums: { ...noSums, enrolled: 4_000n } }),
  ],
  ["on_hold", facts({ status: depositStatus.unresolved, statusReason: "overpaid" })],
  ["on_hold", facts({ blockedPayments: 1 })],
  ["on_hold", facts({ blockedPayments: 1, sums: { ...noSums, sourcePaidPending: 5n } })],
  ["paid", facts({ status: depositStatus.paid, blockedPayments: 1 })],
  ["expired", canceled("expired")],
  ["refunded", canceled("refunded")],
  ["canceled", canceled("cancelled")],
];

describe("stateOfDeposit", () => {
  it.each(cases)("derives %s", (state, given) => {
    expect(stateOfDeposit(given)).toBe(state);
  });
});

describe("migration 0052", () => {
  const database = useDatabase();

  it("derives the same states for the deposits that exist", async () => {
    const { db, sql } = database;
    const world = depositWorld(database);
    await fillPool(world, "evm", "", cases.length);
    const wallet = await arrangeWallet(world, { type: 1, currency: usd });
    for (const [, given] of cases) {
      const { targetAmountRequested, inaccuracy } = given;
      const deposit = await arrangeDeposit(world, wallet, { currency: eth });
      await sql(
        "update deposit set target_amount_requested = $2, inaccuracy = $3 where id = $1::bigint",
        [deposit.id, targetAmountRequested?.toString() ?? null, inaccuracy?.toString() ?? null],
      );
      await saveDepositOutcomes(db, [{ ...deposit, ...given }]);
    }
    const states = () => sql<{ readonly state: string }>("select state from deposit order by id");
    const stored = await states();
    expect(stored.map((row) => row.state)).toEqual(cases.map(([state]) => state));
    await sql("update deposit set state = 'new'");
    const migration = readFileSync("db/migrations/0052_states.sql", "utf8");
    const backfill = migration.split(";").find((text) => text.includes("update deposit"));
    await sql(backfill ?? "");
    // Blocked payments were counted later, by migration 0077.
    await sql("update deposit set state = 'on_hold' where blocked_payments > 0 and status = 2");
    expect(await states()).toEqual(stored);
  });
});
