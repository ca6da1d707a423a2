import { describe, expect, it } from "vitest";
import { addSeconds, instantFromSeconds, secondsBetween } from "../../platform/kernel/clock.ts";
import { breakerAfter, closedBreaker, type HostBreaker } from "./host-breaker.ts";

const now = instantFromSeconds(1_800_000_000);
const settings = { failuresToOpen: 10, openSecondsMin: 60, openSecondsMax: 1800 };

function after(breaker: HostBreaker, outcomes: string): HostBreaker {
  return Array.from(outcomes).reduce(
    (state, letter) =>
      breakerAfter(state, { delivered: letter === "+", isProbe: letter === "p" }, now, settings),
    breaker,
  );
}

const openSeconds = (breaker: HostBreaker): number | null =>
  breaker.openUntil === null ? null : secondsBetween(now, breaker.openUntil);

describe("a receiver's circuit breaker", () => {
  it.each([
    ["---------", null],
    ["----------", 60],
    ["---------+---------", null],
    ["--------------", 60],
    ["----------p", 120],
    ["----------pp", 240],
    ["----------ppppp", 1800],
    ["----------ppppppppppppppp", 1800],
    ["----------ppp+", null],
    ["----------ppp+----------", 60],
  ])("after %s, is open for %j seconds", (outcomes, expected) => {
    expect(openSeconds(after(closedBreaker, outcomes))).toBe(expected);
  });

  it("resets all failure counts on a success", () => {
    expect(after(closedBreaker, "----------pp+")).toEqual(closedBreaker);
  });

  it("is not extended by a failure that was in flight when it opened", () => {
    const opened = after(closedBreaker, "----------");
    const later = addSeconds(now, 70);
    const late = breakerAfter(opened, { delivered: false, isProbe: false }, later, settings);
    expect(late.openUntil).toBe(opened.openUntil);
    expect(late.consecutiveFailures).toBe(11);
    expect(late.failingSince).toBe(now);
  });
});
