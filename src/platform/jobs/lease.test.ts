import { describe, expect, test } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { acquireLease } from "./lease.ts";

/* One holder at a time, and a fencing number that tells an old holder from the present one. */

const { db } = useDatabase();

describe("a lease", () => {
  test("is had by one until it is given back", async () => {
    const clock = manualClock();
    const first = await acquireLease({ db, clock, holder: "a" }, "given back", 30_000);
    expect(first?.fence).toBe("1");
    expect(await acquireLease({ db, clock, holder: "b" }, "given back", 30_000)).toBeNull();
    expect(await acquireLease({ db, clock, holder: "a" }, "given back", 30_000)).toBeNull();
    await first?.release();
    const second = await acquireLease({ db, clock, holder: "b" }, "given back", 30_000);
    expect(second?.fence).toBe("2");
  });

  test("runs out unless it is renewed, and cannot be renewed by who lost it", async () => {
    const clock = manualClock();
    const first = await acquireLease({ db, clock, holder: "a" }, "runs out", 30_000);
    clock.advance(29);
    expect(await first?.renew()).toBe(true);
    clock.advance(29);
    expect(await acquireLease({ db, clock, holder: "b" }, "runs out", 30_000)).toBeNull();
    clock.advance(1);
    const second = await acquireLease({ db, clock, holder: "b" }, "runs out", 30_000);
    expect(second?.fence).toBe("2");
    expect(await first?.renew()).toBe(false);
    await first?.release();
    expect(await acquireLease({ db, clock, holder: "c" }, "runs out", 30_000)).toBeNull();
  });

  test("goes to exactly one of many who ask at once", async () => {
    const clock = manualClock();
    const asking = Array.from({ length: 20 }, (_, index) =>
      acquireLease({ db, clock, holder: `holder ${index}` }, "asked at once", 30_000),
    );
    const had = (await Promise.all(asking)).filter((lease) => lease !== null);
    expect(had.map((lease) => lease.fence)).toEqual(["1"]);
  });
});
