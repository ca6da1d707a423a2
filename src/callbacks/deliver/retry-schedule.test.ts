import { describe, expect, it } from "vitest";
import { callbackTo } from "../../../test/support/callback-lanes.ts";
import { addSeconds, instantFromSeconds, secondsBetween } from "../../platform/kernel/clock.ts";
import type { Random } from "../../platform/kernel/random.ts";
import type { ClaimedCallback } from "./dispatch.store.ts";
import type { PostOutcome } from "./post-delivery.ts";
import {
  decideAttempt,
  defaultRetrySettings,
  nextAttemptAt,
  parseRetryAfter,
} from "./retry-schedule.ts";

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
    ["Mon, 01 Feb 2027 08:00:00 GMT", 17 * 86_400],
    ["Thu, 31 Dec 2026 08:00:00 GMT", 0],
    ["Fri, 15 Jan 2027 08:01:00 UTC", null],
    ["Fri, 15 Foo 2027 08:01:00 GMT", null],
    ["Expires: Fri, 15 Jan 2027 08:01:00 GMT", null],
    ["Fri, 15 Jan 2027 08:01:00 GMT or later", null],
    ["120 seconds", null],
    ["in 120", null],
    ["soon", null],
    ["-5", null],
    ["1.5", null],
    ["Fri, 32 Jan 2027 08:01:00 GMT", null],
    ["99999999999", null],
  ])("parses Retry-After %j as %j seconds", (text, expected) => {
    expect(parseRetryAfter(text, now)).toBe(expected);
  });
});

const callback = callbackTo("shop.example");

function decide(outcome: Partial<PostOutcome>, attempted: Partial<ClaimedCallback> = {}) {
  const decided = decideAttempt(
    { ...callback, ...attempted },
    {
      statusCode: 500,
      retryAfter: null,
      error: null,
      answerHead: Buffer.from("sorry"),
      ...outcome,
    },
    { attemptedAt: addSeconds(now, -1.2345678), now },
    withFraction(0.5),
    defaultRetrySettings,
  );
  const { dueAt, status } = decided;
  return { ...decided, next: [status, dueAt === null ? null : secondsBetween(now, dueAt)] };
}

describe("an attempt to deliver a callback", () => {
  it("delivers it with the answer 200, even as the last one or with a Retry-After", () => {
    expect(decide({ statusCode: 200 }).next).toEqual(["delivered", null]);
    expect(decide({ statusCode: 200, retryAfter: "60" }, { attempts: 8 }).next).toEqual([
      "delivered",
      null,
    ]);
  });

  it.each([201, 204, 301, 410, 500, null])("is repeated after the answer %j", (statusCode) => {
    expect(decide({ statusCode }).next).toEqual(["pending", 5]);
  });

  it("is repeated when the receiver asks for it, and on schedule if it asks in another format", () => {
    expect(decide({ statusCode: 503, retryAfter: "90" }, { attempts: 1 }).next).toEqual([
      "pending",
      90,
    ]);
    expect(decide({ statusCode: 503, retryAfter: "soon" }, { attempts: 1 }).next).toEqual([
      "pending",
      60,
    ]);
  });

  it("exhausts the callback as the ninth of its schedule, which a manual resend begins again", () => {
    expect(decide({}, { attempts: 7 }).next).toEqual(["pending", 86_400]);
    expect(decide({}, { attempts: 8 }).next).toEqual(["exhausted", null]);
    expect(decide({}, { attempts: 9, scheduleBase: 9 }).next).toEqual(["pending", 5]);
    expect(decide({}, { attempts: 17, scheduleBase: 9 }).next).toEqual(["exhausted", null]);
  });

  it("is recorded with its duration in whole milliseconds and the beginning of the answer", () => {
    expect(decide({})).toMatchObject({
      callback,
      attemptedAt: addSeconds(now, -1.2345678),
      durationMs: 1235,
      statusCode: 500,
      error: null,
      answerHead: Buffer.from("sorry"),
    });
    const lost = { statusCode: null, error: "connection_lost", answerHead: new Uint8Array() };
    expect(decide(lost as PostOutcome)).toMatchObject({
      statusCode: null,
      error: "connection_lost",
      answerHead: null,
    });
  });
});
