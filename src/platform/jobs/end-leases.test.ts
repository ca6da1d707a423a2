import { describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { endFutureLeases } from "./end-leases.store.ts";
import { acquireLease } from "./lease.ts";

const { db, sql } = useDatabase();

describe("endFutureLeases", () => {
  it("frees leases and throttle windows left from a time when the server's clock was ahead, and no others", async () => {
    const clock = manualClock();
    const take = (name: string, holder: string) =>
      acquireLease({ db, clock, holder }, name, 60_000);
    clock.advance(86_400);
    await take("left over", "dead");
    await sql(
      "insert into throttle_window (bucket, opened_at, granted, leased) values ('a', $1, 1, 1)",
      ["2026-01-03T03:00:00Z"],
    );
    clock.advance(-86_400);
    await take("current", "alive");
    expect(await take("left over", "next")).toBeNull();

    await endFutureLeases(db, clock.now());
    expect((await take("left over", "next"))?.fence).toBe("2");
    expect(await take("current", "next")).toBeNull();
    expect(await sql("select 1 from throttle_window")).toEqual([]);
  });
});
