import { describe, expect, it } from "vitest";
import { instantFromSeconds, secondsBetween } from "../../platform/kernel/clock.ts";
import type { Random } from "../../platform/kernel/random.ts";
import { defaultRetrySettings, nextAttemptAt, parseRetryAfter } from "./retry-schedule.ts";

const now = instantFromSeconds(1_800_000_000);

function withFraction(fraction: number): Random {
  return { fraction: () => fraction, bytes: (length) => new Uint8Array(length), uuid: () => "" };
}

function delay(failed: number, retryAfter: number | null, fraction: number): number | null {
  const at = nextAttemptAt(failed, retryAfter, now, withFraction(fraction), defaultRetrySettings);
  return at === null ? null : secondsBetween(now, at);
}

describe("the retry schedule", () => {
  it("allows nine attempts with growing delays", () => {
    const delays = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((failed) => delay(failed, null, 0.5));
    expect(delays).toEqual([5, 60, 300, 1800, 7200, 18_000, 36_000, 86_400, null, null]);
  });

  it("varies delays by at most a fifth", () => {
    expect(delay(2, null, 0)).toBe(48);
    expect(delay(2, null, 0.999999)).toBeCloseTo(72, 2);
  });

  it.each([
    [0, 60],
    [59, 60],
    [90, 90],
    [120, 120],
    [86_400, 120],
  ])("lengthens a one-minute delay with Retry-After %d to %d seconds", (retryAfter, expected) => {
    expect(delay(2, retryAfter, 0.5)).toBe(expected);
  });

  it("is not prolonged by Retry-After after its last attempt", () => {
    expect(delay(9, 30, 0.5)).toBeNull();
  });

  it.each([
    ["120", 120],
    ["0", 0],
    ["Fri, 15 Jan 2027 08:01:00 GMT", 60],
    ["Fri, 15 Jan 2027 07:00:00 GMT", 0],
    ["soon", null],
    ["-5", null],
    ["1.5", null],
    ["Fri, 32 Jan 2027 08:01:00 GMT", null],
    ["99999999999", null],
  ])("parses Retry-After %j as %j seconds", (text, expected) => {
    expect(parseRetryAfter(text, now)).toBe(expected);
  });
});
