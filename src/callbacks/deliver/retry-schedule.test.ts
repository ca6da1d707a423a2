import { expect, test } from "vitest";
import { instantFromSeconds, secondsBetween } from "../../platform/kernel/clock.ts";
import type { Random } from "../../platform/kernel/random.ts";
import { defaultRetrySettings, nextAttemptAt, parseRetryAfter } from "./retry-schedule.ts";

// Shows the delays between attempts, their jitter and bounds, and how Retry-After is read.

const now = instantFromSeconds(1_800_000_000);

function withFraction(fraction: number): Random {
  return { fraction: () => fraction, bytes: (length) => new Uint8Array(length), uuid: () => "" };
}

function delay(failed: number, retryAfter: number | null, fraction: number): number | null {
  const at = nextAttemptAt(failed, retryAfter, now, withFraction(fraction), defaultRetrySettings);
  return at === null ? null : secondsBetween(now, at);
}

test("nine attempts with growing delays, then nothing", () => {
  const delays = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((failed) => delay(failed, null, 0.5));
  expect(delays).toEqual([5, 60, 300, 1800, 7200, 18_000, 36_000, 86_400, null, null]);
});

test("jitter is at most a fifth either way", () => {
  expect(delay(2, null, 0)).toBe(48);
  expect(delay(2, null, 0.999999)).toBeCloseTo(72, 2);
});

test.each([
  [0, 60],
  [59, 60],
  [90, 90],
  [120, 120],
  [86_400, 120],
])("Retry-After %d lengthens a minute to %d seconds", (retryAfter, expected) => {
  expect(delay(2, retryAfter, 0.5)).toBe(expected);
});

test("Retry-After does not prolong a schedule that is over", () => {
  expect(delay(9, 30, 0.5)).toBeNull();
});

test.each([
  ["120", 120],
  ["0", 0],
  ["Fri, 15 Jan 2027 08:01:00 GMT", 60],
  ["Fri, 15 Jan 2027 07:00:00 GMT", 0],
  ["soon", null],
  ["-5", null],
  ["1.5", null],
  ["Fri, 32 Jan 2027 08:01:00 GMT", null],
  ["99999999999", null],
])("Retry-After %j is %j seconds", (text, expected) => {
  expect(parseRetryAfter(text, now)).toBe(expected);
});
