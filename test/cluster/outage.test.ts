import { describe, expect, it } from "vitest";
import type { SeenCall } from "../chaos/api-client.ts";
import { secondsAway, wrongAnswers } from "./outage.ts";

/* The failover test's own arithmetic, on a few calls. */

function call(startedMs: number, endedMs: number, status: number | null, more = {}): SeenCall {
  const seen = { method: "GET", path: "/deposit/", startedMs, endedMs, status };
  return { ...seen, retryAfter: status === 503 ? "1" : null, reasons: [], ...more };
}

const all = { fromMs: 1_000, toMs: 60_000 };

describe("the time that clients see the service away", () => {
  it.each([
    ["no call fails", [call(1_100, 1_150, 200), call(1_200, 1_300, 201)], 0.1],
    [
      "calls fail in between",
      [
        call(1_100, 1_150, 200),
        call(2_000, 2_010, 503),
        call(5_000, 5_100, 503),
        call(5_300, 5_400, 201),
      ],
      3.4,
    ],
    [
      "a failing call began before the fault",
      [call(500, 4_000, 503), call(4_100, 4_200, 200)],
      3.2,
    ],
    [
      "another process answers in between",
      [
        call(2_000, 2_010, 503),
        call(2_020, 2_030, 200),
        call(3_000, 3_010, 503),
        call(3_020, 3_100, 200),
      ],
      1.1,
    ],
    ["a call waits and succeeds", [call(1_500, 9_500, 201)], 8],
    ["nothing succeeds again", [call(2_000, 2_010, 503)], 58],
    [
      "a rate limit is no success",
      [call(2_000, 2_010, 503), call(2_100, 2_110, 429), call(3_000, 3_500, 200)],
      1.5,
    ],
    ["a failure is outside of the time", [call(100, 900, 503), call(61_000, 61_100, 503)], 0],
  ])("when %s", (_, calls, seconds) => {
    expect(secondsAway(calls, all)).toBeCloseTo(seconds, 6);
  });
});

describe("what clients must not see", () => {
  it("lists broken connections, errors of ours, and missing delays", () => {
    const calls = [
      call(0, 1, 200),
      call(0, 1, 503),
      call(0, 1, 429),
      call(0, 1, 400, { reasons: ["4008"] }),
      call(0, 1, 503, { retryAfter: null, reasons: ["4018"] }),
      call(0, 1, 500, { reasons: ["node_unavailable"] }),
      call(0, 1, 400, { reasons: ["5005"] }),
      call(0, 1, null, { reasons: ["fetch failed", "other side closed"] }),
    ];
    expect(wrongAnswers(calls)).toEqual([
      "GET /deposit/: 503 4018 without Retry-After",
      "GET /deposit/: 500 node_unavailable",
      "GET /deposit/: 400 5005",
      "GET /deposit/: no answer (fetch failed: other side closed)",
    ]);
  });
});
