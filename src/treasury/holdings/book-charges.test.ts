import { describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import type { BlockRef } from "../../chains/port.ts";
import { systemAccount } from "../../ledger/ledger-account.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { bookCharges, reverseCharges } from "./book-charges.ts";

/* What a chain takes from an account for receiving, and gives back of payments that bounced, on a real database. */

const { db, sql } = useDatabase();
const clock = manualClock();
const currency = "1140" as CurrencyId;
const block = (height: number): BlockRef => ({
  height,
  hash: `hash ${height}`,
  parentHash: `hash ${height - 1}`,
  time: clock.now(),
});
const charge = (txid: string, units: bigint) => ({
  txid,
  account: "hot",
  amount: { units, currency },
});

async function balanceOf(kind: "chain" | "fees"): Promise<bigint> {
  const account = systemAccount(kind, currency);
  const [row] = await sql<{ sum: string }>(
    `select coalesce(sum(case when debit = $1 then units when credit = $1 then -units end), 0)::text as sum
     from posting where $1 in (debit, credit)`,
    [account],
  );
  return BigInt(row?.sum ?? "0");
}

const include = (height: number, ...charges: ReturnType<typeof charge>[]) =>
  db.transaction((tx) => bookCharges(tx, "TON", block(height), charges, clock.now()));

describe("charges of an account", () => {
  it("leave the chain and are fees, and what came back lowers them", async () => {
    await include(1, charge("receiving", 300n), charge("nothing", 0n));
    await include(2, charge("bounced", -1_000n));
    expect(await balanceOf("chain")).toBe(700n);
    expect(await balanceOf("fees")).toBe(-700n);
  });

  it("are booked once, however often their block is entered", async () => {
    const before = await balanceOf("chain");
    await include(2, charge("bounced", -1_000n));
    expect(await balanceOf("chain")).toBe(before);
  });

  it("leave the books with their block, and return with another one", async () => {
    const before = await balanceOf("chain");
    await db.transaction((tx) => reverseCharges(tx, "TON", 2, clock.now()));
    expect(await balanceOf("chain")).toBe(before - 1_000n);
    await include(3, charge("bounced", -1_000n));
    expect(await balanceOf("chain")).toBe(before);
  });
});
