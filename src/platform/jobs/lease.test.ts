import { describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { acquireLease } from "./lease.ts";

const { db } = useDatabase();

describe("a lease", () => {
  it("has one holder until it is released", async () => {
    const clock = manualClock();
    const first = await acquireLease({ db, clock, holder: "a" }, "given back", 30_000);
    expect(first?.fence).toBe("1");
    expect(await acquireLease({ db, clock, holder: "b" }, "given back", 30_000)).toBeNull();
    expect(await acquireLease({ db, clock, holder: "a" }, "given back", 30_000)).toBeNull();
    await first?.release();
    const second = await acquireLease({ db, clock, holder: "b" }, "given back", 30_000);
    expect(second?.fence).toBe("2");
  });

  it("expires unless renewed, and cannot be renewed by a holder who lost it", async () => {
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

  it("goes to exactly one of many concurrent callers", async () => {
    const clock = manualClock();
    const attempts = Array.from({ length: 20 }, (_, index) =>
      acquireLease({ db, clock, holder: `holder ${index}` }, "requested at once", 30_000),
    );
    const taken = (await Promise.all(attempts)).filter((lease) => lease !== null);
    expect(taken.map((lease) => lease.fence)).toEqual(["1"]);
  });
});
