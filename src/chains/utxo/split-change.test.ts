import { describe, expect, it } from "vitest";
import { fc } from "../../../test/support/property.ts";
import { aimOf, planConsolidation, planPayment } from "./plan-payment.ts";
import { changePartsMax, type Plan, type SpendableCoin, type SpendRequest } from "./plan-spend.ts";
import { feeAt, virtualSizeOf } from "./transaction-weight.ts";

describe("splitting change", () => {
  /* Split change: which payment bears its cost, when it pays off, and its limits. */

  const floor = { relay: 1_000n, increment: 1_000n };
  const change = { scriptLength: 22, addressType: "bech32" as const, dust: 294n };
  const ceiling = 10n ** 9n;

  function coinOf(units: bigint, keyIndex = 0): SpendableCoin {
    const claim = `${"ab".repeat(32)}:${keyIndex}`;
    return { claim, units, addressType: "bech32", branch: 1, keyIndex };
  }

  /** That many payments of the amount each, from one coin. */
  function purseOf(coin: bigint, payments: number, each: bigint, partsMax = 4): SpendRequest {
    return {
      coins: [coinOf(coin)],
      paid: each * BigInt(payments),
      scriptLengths: Array.from({ length: payments }, () => 22),
      change: { ...change, partsMax },
    };
  }

  function planned(purse: SpendRequest, feeTarget: bigint | null, medium = 5_000n): Plan {
    const outcome = planPayment(purse, aimOf(purse, feeTarget, medium, "bech32"), floor, ceiling);
    if (outcome.kind !== "plan") throw new Error(`no plan: ${outcome.kind}`);
    return outcome.plan;
  }

  it("pays for split change from what payments save by sharing a transaction, at the rate they paid for", () => {
    const purse = purseOf(100_000_000n, 20, 100_000n);
    const charged = 20n * 705n;
    const split = planned(purse, charged);
    const whole = planned({ ...purse, change }, charged);
    expect([whole.changeParts, split.changeParts]).toEqual([1, 4]);
    expect(split.vsize - whole.vsize).toBe(3 * 31);
    expect(split.feeUnits).toBe(feeAt(5_000n, split.vsize));
    expect(whole.feeUnits).toBe(feeAt(5_000n, whole.vsize));
    expect(split.feeUnits).toBeLessThan(charged);
  });

  it("keeps one change output for a single payment, which burns exactly its payer's charge", () => {
    const purse = purseOf(100_000_000n, 1, 100_000n);
    expect(planned(purse, 705n)).toMatchObject({ feeUnits: 705n, changeParts: 1, vsize: 141 });
  });

  it("makes each part large enough for the same payments, and does not split if two parts would be too small", () => {
    for (const [coin, parts] of [
      [11_000_000n, 4],
      [9_000_000n, 3],
      [7_000_000n, 2],
      [5_000_000n, 1],
    ] as const)
      expect(planned(purseOf(coin, 10, 200_000n), 7_050n)).toMatchObject({ changeParts: parts });
  });

  it("makes each part worth far more than spending it costs at the current rate", () => {
    const purse = purseOf(1_000_000n, 2, 1_000n);
    expect(planned(purse, null, 5_000n).changeParts).toBe(4);
    // With two parts the fee is 30,450: twenty times that in each part exceeds the value.
    expect(planned(purse, null, 150_000n).changeParts).toBe(1);
  });

  it("splits into fewer parts, or none, if the charge does not cover more outputs at its rate", () => {
    const inputs = Array.from({ length: 3 }, (_, at) => coinOf(1_000_000n, at));
    const purse: SpendRequest = { ...purseOf(0n, 2, 1_000_000n), coins: inputs };
    const plan = planned(purse, 2n * 705n);
    // Two payments alone would be 282 virtual bytes; with three inputs this transaction exceeds that without any further output.
    expect(plan.changeParts).toBeLessThanOrEqual(1);
    expect(plan.feeUnits).toBeLessThanOrEqual(1_410n);
  });

  it("does not split the output of a consolidation", () => {
    const purse = {
      ...purseOf(1_000_000n, 0, 0n, 1),
      coins: [coinOf(1_000_000n), coinOf(5_000n, 1)],
    };
    const aim = { kind: "rate", rate: 5_000n, most: null } as const;
    const outcome = planConsolidation(purse, aim, floor, ceiling);
    expect(outcome).toMatchObject({ kind: "plan", plan: { changeParts: 1 } });
  });

  it("conserves value, computes the true size, makes no small part and never lowers the rate for any payments", () => {
    const anyPurse = fc
      .record({
        coins: fc.array(fc.bigInt(1_000n, 50_000_000n), { minLength: 1, maxLength: 6 }),
        payments: fc.array(fc.bigInt(330n, 2_000_000n), { minLength: 1, maxLength: 8 }),
        partsMax: fc.integer({ min: 1, max: changePartsMax }),
      })
      .map(
        ({ coins, payments, partsMax }): SpendRequest => ({
          coins: coins.map(coinOf),
          paid: payments.reduce((sum, units) => sum + units, 0n),
          scriptLengths: payments.map(() => 22),
          change: { ...change, partsMax },
        }),
      );
    let splits = 0;
    fc.assert(
      fc.property(
        anyPurse,
        fc.option(fc.bigInt(200n, 100_000n), { nil: null }),
        fc.bigInt(1_000n, 100_000n),
        (purse, feeTarget, medium) => {
          const aim = aimOf(purse, feeTarget, medium, "bech32");
          const outcome = planPayment(purse, aim, floor, ceiling);
          const unsplit = planPayment({ ...purse, change }, aim, floor, ceiling);
          expect(outcome.kind).toBe(unsplit.kind);
          if (outcome.kind !== "plan" || unsplit.kind !== "plan") return;
          const { plan } = outcome;
          const held = plan.coins.reduce((sum, { units }) => sum + units, 0n);
          expect(held).toBe(purse.paid + (plan.change ?? 0n) + plan.feeUnits);
          const lengths = Array.from({ length: plan.changeParts }, () => change.scriptLength);
          const inputs = plan.coins.map(({ addressType }) => addressType);
          const scriptLengths = [...purse.scriptLengths, ...lengths];
          expect(plan.vsize).toBe(virtualSizeOf({ inputs, scriptLengths }));
          expect(plan.changeParts).toBeLessThanOrEqual(purse.change.partsMax ?? 1);
          expect(plan.changeParts === 0).toBe(plan.change === null);
          if (plan.changeParts < 2) {
            expect(plan).toEqual(unsplit.plan);
            return;
          }
          splits += 1;
          const part = (plan.change ?? 0n) / BigInt(plan.changeParts);
          expect(part).toBeGreaterThanOrEqual(purse.paid);
          expect(part).toBeGreaterThanOrEqual(20n * plan.feeUnits);
          const other = unsplit.plan;
          expect(plan.feeUnits * BigInt(other.vsize)).toBeGreaterThanOrEqual(
            (other.feeUnits - 1n) * BigInt(plan.vsize),
          );
          if (feeTarget !== null) expect(plan.feeUnits).toBeLessThanOrEqual(feeTarget);
        },
      ),
      { numRuns: 2_000 },
    );
    expect(splits).toBeGreaterThan(50);
  });
});
