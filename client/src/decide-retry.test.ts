import { describe, expect, it } from "vitest";
import { decideRetry, type Failure, readRetryAfter } from "./decide-retry.ts";

// Idempotent requests are retried after any temporary failure, others only if the response means that nothing was done.

const settings = { retries: 3, delayMs: 100, delayMaxMs: 300, retryAfterMaxMs: 10_000 };
const answered = (
  status: number,
  isFromService: boolean,
  retryAfterMs: number | null = null,
): Failure => ({
  kind: "answer",
  status,
  isFromService,
  retryAfterMs,
});
const unreachable: Failure = { kind: "unreachable" };

describe("decideRetry", () => {
  it.each<[string, Failure, boolean, boolean]>([
    ["no answer", unreachable, true, false],
    ["502", answered(502, false), true, false],
    ["504", answered(504, false), true, false],
    ["a proxy's 503", answered(503, false), true, false],
    ["the service's 503", answered(503, true), true, true],
    ["429", answered(429, true), true, true],
    ["a proxy's 429", answered(429, false), true, true],
    ["400", answered(400, true), false, false],
    ["401", answered(401, true), false, false],
    ["409", answered(409, true), false, false],
    ["500", answered(500, true), false, false],
  ])("decides whether to retry after %s", (_, failure, withKey, without) => {
    const isRetried = (isRepeatable: boolean) =>
      decideRetry(failure, { attempt: 1, isRepeatable }, settings, () => 0) !== null;
    expect([isRetried(true), isRetried(false)]).toEqual([withKey, without]);
  });

  it("doubles the delay up to a maximum, randomizes its upper half, and stops", () => {
    const delays = (random: number) =>
      [1, 2, 3, 4].map((attempt) =>
        decideRetry(unreachable, { attempt, isRepeatable: true }, settings, () => random),
      );
    expect(delays(0)).toEqual([50, 100, 150, null]);
    expect(delays(1)).toEqual([100, 200, 300, null]);
  });

  it("waits for Retry-After, and gives up if it is too long", () => {
    const delay = (retryAfterMs: number) =>
      decideRetry(
        answered(429, true, retryAfterMs),
        { attempt: 1, isRepeatable: false },
        settings,
        () => 0,
      );
    expect([delay(0), delay(5_000), delay(10_001)]).toEqual([25, 5_025, null]);
  });
});

describe("readRetryAfter", () => {
  it("parses seconds and HTTP dates", () => {
    const now = Date.parse("2026-01-02T03:04:05Z");
    const read = (value: string | null) => readRetryAfter(value, now);
    expect(
      ["7", "Fri, 02 Jan 2026 03:04:15 GMT", "Fri, 02 Jan 2026 03:00:00 GMT", "soon", null].map(
        read,
      ),
    ).toEqual([7_000, 10_000, 0, null, null]);
  });
});
