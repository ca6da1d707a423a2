import { describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { draftOf, newSpend } from "../../../test/support/spend-records.ts";
import { present } from "../../platform/kernel/assert.ts";
import { readAccountInUse } from "./account-in-use.ts";
import { setLiveClaims } from "./claim.store.ts";
import { createSpend } from "./create-spend.ts";

/* Numbers of an account whose chain forgets which were used: none is given out twice, whatever became of its transaction. */

const { db } = useDatabase();
const numbers = async (chainNext: bigint, count: number, numbersOnce: boolean) =>
  (await readAccountInUse(db, "TON", "wallet", chainNext, numbersOnce))
    .sequences(Array.from({ length: count }, () => 1))
    .map(({ sequence }) => sequence);
const claim = async (number: number): Promise<string | null> => {
  const outcome = await db.transaction((tx) =>
    createSpend(
      tx,
      newSpend({ chain: "TON", sender: "wallet", draft: draftOf([`wallet#${number}`]) }),
      manualClock().now(),
    ),
  );
  return outcome.kind === "created" ? outcome.spend.id : null;
};

describe("numbers that are used once", () => {
  it("continue after those that the chain remembers", async () => {
    expect(await numbers(7n, 3, true)).toEqual([7n, 8n, 9n]);
  });

  it("continue after the highest one that any spend ever claimed, and fill no gap", async () => {
    await claim(7);
    const expired = present(await claim(9), "a spend");
    // Its claim is free again.
    await db.transaction((tx) => setLiveClaims(tx, expired, []));
    expect(await numbers(7n, 2, true)).toEqual([10n, 11n]);
    expect(await numbers(0n, 1, true)).toEqual([10n]);
    expect(await numbers(7n, 2, false)).toEqual([8n, 9n]);
  });

  it("go to one of two processes that choose the same", async () => {
    expect(await claim(10)).not.toBeNull();
    expect(await claim(10)).toBeNull();
    expect(await numbers(7n, 1, true)).toEqual([11n]);
  });
});
