import { describe, expect, it } from "vitest";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { withTimeLimit } from "./with-time-limit.ts";

/** Never answers, and rejects when aborted. */
function silence(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => {
      reject(signal.reason as Error);
    });
  });
}

describe("withTimeLimit", () => {
  it("aborts a silent call at the limit, not earlier", async () => {
    const clock = manualClock();
    let hasEnded = false;
    const answer = withTimeLimit(clock, 3_000, silence).finally(() => {
      hasEnded = true;
    });
    const refusal = expect(answer).rejects.toThrow("no answer within 3000 ms");
    clock.advance(2.999);
    await clock.sleep(0);
    expect(hasEnded).toBe(false);
    clock.advance(0.001);
    await refusal;
  });

  it("passes on results and errors unchanged, and then stops waiting for the limit", async () => {
    const clock = manualClock();
    const slept: (AbortSignal | undefined)[] = [];
    const watched = {
      ...clock,
      sleep: (delayMs: number, signal?: AbortSignal) => {
        slept.push(signal);
        return clock.sleep(delayMs, signal);
      },
    };
    expect(await withTimeLimit(watched, 3_000, () => Promise.resolve("fine"))).toBe("fine");
    const fault = new Error("broken");
    await expect(withTimeLimit(watched, 3_000, () => Promise.reject(fault))).rejects.toBe(fault);
    expect(slept.map((signal) => signal?.aborted)).toEqual([true, true]);
  });
});
