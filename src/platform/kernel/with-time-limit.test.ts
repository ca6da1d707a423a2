import { expect, test } from "vitest";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { withTimeLimit } from "./with-time-limit.ts";

/* The clock that was handed in says when time is up, and nothing waits for it after an answer. */

/** Answers never, and gives up when it is told to. */
function silence(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => {
      reject(signal.reason as Error);
    });
  });
}

test("what is silent is told to give up at the limit, and not before", async () => {
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

test("an answer and a failure are handed on as they are, and end the wait for the limit", async () => {
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
