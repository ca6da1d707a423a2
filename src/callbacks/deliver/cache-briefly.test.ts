import { describe, expect, it } from "vitest";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { cacheBriefly } from "./cache-briefly.ts";

describe("cacheBriefly", () => {
  it("loads a value once per key and period", async () => {
    const clock = manualClock();
    const loaded: string[] = [];
    const read = cacheBriefly(
      (account: string, credential: string) => {
        loaded.push(`${account}/${credential}`);
        return Promise.resolve(loaded.length);
      },
      clock,
      { seconds: 30, countMax: 10 },
    );
    expect(await Promise.all([read("1", "2"), read("1", "2"), read("12", "")])).toEqual([1, 1, 2]);
    clock.advance(29);
    expect(await read("1", "2")).toBe(1);
    clock.advance(2);
    expect(await read("1", "2")).toBe(3);
    expect(loaded).toEqual(["1/2", "12/", "1/2"]);
  });

  it("does not cache failures", async () => {
    let calls = 0;
    const read = cacheBriefly(
      () => {
        calls += 1;
        return calls === 1 ? Promise.reject(new Error("away")) : Promise.resolve("here");
      },
      manualClock(),
      { seconds: 30, countMax: 10 },
    );
    await expect(read()).rejects.toThrow("away");
    expect(await read()).toBe("here");
  });
});
