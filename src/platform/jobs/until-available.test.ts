import { describe, expect, it } from "vitest";
import { systemClock } from "../kernel/system-clock.ts";
import { Unavailable } from "../kernel/unavailable.ts";
import { untilAvailable } from "./until-available.ts";

const context = { clock: systemClock };

describe("untilAvailable", () => {
  it("repeats the work while something is unavailable, and does it once after that", async () => {
    const tried: string[] = [];
    await untilAvailable(
      context,
      () => {
        tried.push("once");
        return tried.length < 3
          ? Promise.reject(new Unavailable("database", "read ECONNRESET"))
          : Promise.resolve();
      },
      new AbortController().signal,
    );
    expect(tried).toHaveLength(3);
  });

  it("rejects with any other error", async () => {
    const wrong = () => Promise.reject(new Error("a bug"));
    const done = untilAvailable(context, wrong, new AbortController().signal);
    await expect(done).rejects.toThrow("a bug");
  });

  it("ends when it is stopped", async () => {
    const stop = new AbortController();
    await untilAvailable(
      context,
      () => {
        stop.abort();
        return Promise.reject(new Unavailable("database", "read ECONNRESET"));
      },
      stop.signal,
    );
    expect(stop.signal.aborted).toBe(true);
  });
});
