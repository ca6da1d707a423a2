import { describe, expect, it } from "vitest";
import { fc } from "../../../test/support/property.ts";
import { unrefundedPart } from "../transfers/transfer.ts";
import { decidePartial, missingUnits } from "./decide-partial.ts";

/*
 * The part of the funds on hold that is refunded when only some of it is kept. Payments: units of their currency, value in the
 * wallet's.
 */

const payments = (...list: readonly (readonly [units: bigint, worth: bigint])[]) =>
  list.map(([units, targetUnits], index) => ({ id: String(index + 1), units, targetUnits }));

describe("decidePartial", () => {
  it.each([
    ["one payment in the wallet's own currency", payments([150n, 150n]), 100n, [["1", 50n]]],
    [
      "one payment in another currency and rounds the kept part up",
      payments([1_000n, 149n]),
      100n,
      [["1", 328n]],
    ],
    [
      "two payments in proportion to their value",
      payments([80n, 80n], [40n, 40n]),
      90n,
      [
        ["1", 20n],
        ["2", 10n],
      ],
    ],
    [
      "a large and a tiny payment, refunding the tiny one in full",
      payments([100n, 100n], [1n, 1n]),
      100n,
      [["2", 1n]],
    ],
    [
      "the refund over payments with a value only",
      payments([100n, 50n], [3n, 0n]),
      25n,
      [["1", 50n]],
    ],
  ] as const)("splits %s", (_name, waiting, keep, expected) => {
    expect(decidePartial(waiting, keep)).toEqual({ kind: "split", paidBack: new Map(expected) });
  });

  it.each([
    ["no amount is missing", payments([150n, 150n]), 0n, "keepsNothing"],
    ["the full amount is needed", payments([150n, 150n]), 150n, "keepsAll"],
    ["more is missing than is on hold", payments([150n, 150n]), 200n, "keepsAll"],
    ["one unit is worth more than the refund", payments([1n, 150n]), 100n, "keepsAll"],
  ] as const)("splits nothing when %s", (_name, waiting, keep, kind) => {
    expect(decidePartial(waiting, keep)).toEqual({ kind });
  });

  it("keeps at least the chosen amount and less than one unit of each payment more", () => {
    const payment = fc.record({
      units: fc.bigInt({ min: 1n, max: 10n ** 21n }),
      targetUnits: fc.bigInt({ min: 0n, max: 10n ** 9n }),
    });
    fc.assert(
      fc.property(
        fc.array(payment, { minLength: 1, maxLength: 6 }),
        fc.bigInt({ min: 1n, max: 10n ** 10n }),
        (list, keep) => {
          const waiting = list.map((one, index) => ({ ...one, id: String(index) }));
          const decision = decidePartial(waiting, keep);
          if (decision.kind !== "split") return;
          let kept = 0n;
          let atMost = keep;
          for (const one of waiting) {
            const back = decision.paidBack.get(one.id) ?? 0n;
            expect(back >= 0n && back <= one.units).toBe(true);
            const refund =
              back === 0n ? null : { at: 0 as never, payoutId: "1", units: back, targetUnits: 0n };
            kept += unrefundedPart({ ...one, refund }).targetUnits;
            atMost += one.targetUnits / one.units + 1n;
          }
          expect(kept >= keep && kept <= atMost).toBe(true);
        },
      ),
    );
  });

  it("computes the missing amount as the requested amount minus the payments that count", () => {
    const payment = (disposition: string, targetUnits: bigint, more: object = {}) =>
      ({
        disposition,
        units: targetUnits,
        targetUnits,
        refund: null,
        isConfirmed: true,
        ...more,
      }) as never;
    const payments = [
      payment("credited", 60n),
      payment("pending", 10n),
      payment("pending", 500n, { isConfirmed: false }),
      payment("unresolved", 500n),
      payment("refunded", 500n),
      payment("credited", 9n, { refund: { units: 4n } }),
    ];
    expect(missingUnits(100n, payments)).toBe(25n);
    expect(missingUnits(50n, payments)).toBe(0n);
    expect(missingUnits(null, payments)).toBeNull();
  });
});
