import { describe, expect, it } from "vitest";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { systemClock } from "../kernel/system-clock.ts";
import { FairSlots } from "./fair-slots.ts";

const { signal: never } = new AbortController();
const by = (key: string, signal = never) => ({ key, signal, mayLag: false });

const setUp = (size = 3, perCaller = 2) => {
  const clock = manualClock();
  const slots = new FairSlots({ clock, size, perCaller, patienceMs: 10_000 });
  const started: string[] = [];
  const take = async (name: string, caller = by(name.slice(0, 1))) => {
    const give = await slots.take(caller);
    started.push(name);
    return give;
  };
  return { clock, slots, started, take };
};
const settle = () => systemClock.sleep(1);

describe("slots", () => {
  it("are taken by one caller up to its share only, although others are free", async () => {
    const { started, take } = setUp();
    const [first] = await Promise.all([take("a1"), take("a2")]);
    const third = take("a3");
    await take("b1");
    await settle();
    expect(started).toEqual(["a1", "a2", "b1"]);
    first();
    await third;
    expect(started).toEqual(["a1", "a2", "b1", "a3"]);
  });

  it("that become free go to the caller who has the fewest, then in order", async () => {
    const { started, take } = setUp(2, 2);
    const [first, second] = await Promise.all([take("a1"), take("a2")]);
    const waiting = ["a3", "a4", "b1", "c1"].map((name) => take(name));
    first();
    await settle();
    second();
    await settle();
    expect(started).toEqual(["a1", "a2", "b1", "a3"]);
    (await waiting[2])?.();
    (await waiting[0])?.();
    await Promise.all(waiting);
    expect(started).toEqual(["a1", "a2", "b1", "a3", "c1", "a4"]);
  });

  it("are not limited for the service's own work", async () => {
    const { slots } = setUp();
    await Promise.all([slots.take(null), slots.take(null), slots.take(null)]);
    expect(slots.waitingCount).toBe(0);
  });

  it("are given back once, even if they are given back twice", async () => {
    const { started, take } = setUp(1);
    const give = await take("a1");
    const [second, third] = [take("b1"), take("c1")];
    give();
    give();
    (await second)();
    await third;
    expect(started).toEqual(["a1", "b1", "c1"]);
  });

  it("are not waited for after the patience, or once the caller is gone", async () => {
    const { clock, slots, started, take } = setUp(1);
    const give = await take("a1");
    const patient = take("b1");
    const leaving = new AbortController();
    const left = take("c1", by("c", leaving.signal));
    await settle();
    leaving.abort();
    await expect(left).rejects.toThrow("the caller is gone");
    await expect(take("d1", by("d", leaving.signal))).rejects.toThrow("the caller is gone");
    clock.advance(10);
    await expect(patient).rejects.toThrow("every connection for long statements is in use");
    expect(slots.waitingCount).toBe(0);
    give();
    await take("e1");
    expect(started).toEqual(["a1", "e1"]);
  });
});
