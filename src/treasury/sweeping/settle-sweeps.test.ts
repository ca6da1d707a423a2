import { describe, expect, it } from "vitest";
import { addSeconds, instantFromSeconds } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { retryOf } from "./settle-sweeps.ts";

const now = instantFromSeconds(1_000_000);
const settings = { retryMinSeconds: 600, retryMaxSeconds: 86_400 };
const source = {
  watchKey: "0x1",
  currency: "2015" as CurrencyId,
  units: 100n,
  heldUnits: 100n,
};

describe("retryOf", () => {
  it.each([
    // kind, state, failures before, units left of 100; failures after and seconds to wait, or null for no conclusion
    ["sweep", "confirmed", 0, 0n, [0, null]],
    ["sweep", "confirmed", 3, 0n, [0, null]],
    ["sweep", "confirmed", 3, 99n, [0, null]],
    ["sweep", "confirmed", 0, 100n, [1, 600]],
    ["sweep", "confirmed", 1, 170n, [2, 1_200]],
    ["sweep", "failed", 0, 100n, [1, 600]],
    ["sweep", "dropped", 4, 100n, [5, 9_600]],
    ["sweep", "dead", 9, 100n, [10, 86_400]],
    ["sweep", "failed", 30, 100n, [30, 86_400]],
    ["top_up", "included", 2, 100n, null],
    ["top_up", "confirmed", 2, 100n, null],
    ["delegate", "included", 2, 100n, null],
    ["delegate", "dead", 0, 100n, [1, 600]],
    ["top_up", "failed", 0, 100n, [1, 600]],
  ] as const)(
    "after a %s that is %s, with %i failures before and %i units left, returns %j",
    (kind, state, failures, leftUnits, then) => {
      const retry = retryOf({ ...source, kind, state, failures, leftUnits }, settings, now);
      if (then === null) {
        expect(retry).toBeNull();
        return;
      }
      const [count, seconds] = then;
      expect(retry).toEqual({
        watchKey: source.watchKey,
        currency: source.currency,
        failures: count,
        retryAt: seconds === null ? null : addSeconds(now, seconds),
      });
    },
  );

  it.each([
    // units held by the books, units left; failures after
    [400n, 300n, 0],
    [400n, 400n, 1],
    [0n, 100n, 1],
  ] as const)(
    "counts what arrived since: of %i held, %i are left, %i failures",
    (heldUnits, leftUnits, failures) => {
      const swept = { ...source, kind: "sweep", state: "confirmed", failures: 0 } as const;
      expect(retryOf({ ...swept, heldUnits, leftUnits }, settings, now)).toMatchObject({
        failures,
      });
    },
  );
});
