import { expect, test } from "vitest";
import { decideRetry, type Failure, readRetryAfter } from "./decide-retry.ts";

// Which failed requests are sent again, and when. A read and a create with a key may be repeated whatever happened; a create
// without one only after an answer that says that nothing was done.

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

test.each<[string, Failure, boolean, boolean]>([
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
])("%s", (_, failure, withKey, without) => {
  const isRepeated = (isRepeatable: boolean) =>
    decideRetry(failure, { attempt: 1, isRepeatable }, settings, () => 0) !== null;
  expect([isRepeated(true), isRepeated(false)]).toEqual([withKey, without]);
});

test("delays double to a bound, drawn from its upper half, and end", () => {
  const delays = (random: number) =>
    [1, 2, 3, 4].map((attempt) =>
      decideRetry(unreachable, { attempt, isRepeatable: true }, settings, () => random),
    );
  expect(delays(0)).toEqual([50, 100, 150, null]);
  expect(delays(1)).toEqual([100, 200, 300, null]);
});

test("Retry-After is kept, and a long one is the caller's to decide", () => {
  const delay = (retryAfterMs: number) =>
    decideRetry(
      answered(429, true, retryAfterMs),
      { attempt: 1, isRepeatable: false },
      settings,
      () => 0,
    );
  expect([delay(0), delay(5_000), delay(10_001)]).toEqual([25, 5_025, null]);
});

test("Retry-After is read as seconds or as a date", () => {
  const now = Date.parse("2026-01-02T03:04:05Z");
  const read = (value: string | null) => readRetryAfter(value, now);
  expect(
    ["7", "Fri, 02 Jan 2026 03:04:15 GMT", "Fri, 02 Jan 2026 03:00:00 GMT", "soon", null].map(read),
  ).toEqual([7_000, 10_000, 0, null, null]);
});
