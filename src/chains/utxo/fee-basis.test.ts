import { describe, expect, it } from "vitest";
import { fc } from "../../../test/support/property.ts";
import { actionBasis } from "./fee-basis.ts";
import { aimOf, planConsolidation, planPayment } from "./plan-payment.ts";
import type { SpendableCoin, SpendRequest } from "./plan-spend.ts";

/** 5,000 units per logical action. */
const rate = 5_000_000n;
const floor = { relay: rate, increment: 0n };
const keyScript = 25;
const scriptScript = 23;
const change = { scriptLength: keyScript, addressType: "", dust: 54n } as const;

function coins(...units: readonly bigint[]): readonly SpendableCoin[] {
  return units.map((each, at) => ({
    claim: `${at.toString(16).padStart(64, "0")}:0`,
    units: each,
    addressType: "",
    branch: 0,
    keyIndex: at,
  }));
}

function purse(paid: bigint, scriptLengths: readonly number[], ...units: bigint[]): SpendRequest {
  return { coins: coins(...units), paid, scriptLengths, change, basis: actionBasis };
}

/** Inputs of 147 bytes in units of 150, outputs in units of 34, as the ZIP defines logical actions. */
function actionsOf(inputs: number, scriptLengths: readonly number[]): number {
  const outputBytes = scriptLengths.reduce((sum, length) => sum + 9 + length, 0);
  return Math.max(2, Math.ceil((147 * inputs) / 150), Math.ceil(outputBytes / 34));
}

describe("logical actions", () => {
  it.each([
    [1, [keyScript], 2],
    [1, [keyScript, keyScript], 2],
    [2, [keyScript, keyScript], 2],
    [3, [keyScript], 3],
    [1, [keyScript, keyScript, keyScript], 3],
    [1, [scriptScript, scriptScript, scriptScript], 3],
    [1, Array.from({ length: 21 }, () => keyScript), 21],
    [49, [keyScript], 49],
    [50, [keyScript], 49],
  ])("of %i inputs and outputs of %j bytes are %i", (inputs, scriptLengths, actions) => {
    const types = Array.from({ length: inputs }, () => "" as const);
    expect(actionBasis.sizeOf({ inputs: types, scriptLengths })).toBe(actions);
    expect(actionsOf(inputs, scriptLengths)).toBe(actions);
  });
});

describe("a payment charged by actions", () => {
  it("burns exactly the conventional fee, or a rest that is not worth an output", () => {
    const units = fc.bigInt({ min: 1n, max: 1_000_000n });
    const request = fc.record({
      held: fc.array(units, { minLength: 1, maxLength: 30 }),
      paid: fc.array(fc.bigInt({ min: 54n, max: 200_000n }), { minLength: 1, maxLength: 10 }),
    });
    fc.assert(
      fc.property(request, ({ held, paid }) => {
        const sum = paid.reduce((total, each) => total + each, 0n);
        const lengths = paid.map(() => keyScript);
        const requested = purse(sum, lengths, ...held);
        const outcome = planPayment(
          requested,
          { kind: "rate", rate, most: null },
          floor,
          10n ** 9n,
        );
        const all = held.filter((each) => each > 5_000n);
        const total = all.reduce((one, other) => one + other, 0n);
        const cost = BigInt(actionsOf(all.length, lengths)) * 5_000n;
        if (outcome.kind !== "plan") {
          expect(outcome.kind).toBe("insufficient");
          expect(total).toBeLessThan(sum + cost);
          return;
        }
        const { plan } = outcome;
        const outputs = plan.change === null ? lengths : [...lengths, keyScript];
        const fee = BigInt(actionsOf(plan.coins.length, outputs)) * 5_000n;
        expect(plan.feeUnits).toBeGreaterThanOrEqual(fee);
        if (plan.change !== null) expect(plan.feeUnits).toBe(fee);
        else expect(plan.feeUnits - fee).toBeLessThanOrEqual(10_000n);
        const spent = plan.coins.reduce((one, coin) => one + coin.units, 0n);
        expect(spent).toBe(sum + plan.feeUnits + (plan.change ?? 0n));
      }),
    );
  });

  it("of twenty payers costs each less than a transaction of his own", () => {
    const lengths = Array.from({ length: 20 }, () => keyScript);
    const requested = purse(20n * 50_000n, lengths, 5_000_000n);
    const aim = aimOf(requested, 20n * 10_000n, rate, "");
    const outcome = planPayment(requested, aim, floor, 10n ** 9n);
    expect(outcome).toMatchObject({ kind: "plan", plan: { feeUnits: 21n * 5_000n } });
  });

  it("says when the fee is above the ceiling", () => {
    const requested = purse(50_000n, [keyScript], 100_000n);
    expect(planPayment(requested, { kind: "rate", rate, most: null }, floor, 9_999n)).toEqual({
      kind: "tooExpensive",
      feeUnits: 10_000n,
    });
  });
});

describe("a consolidation charged by actions", () => {
  it("leaves out coins that are worth no more than their action", () => {
    const requested = purse(0n, [], 5_000n, 5_001n, 90_000n, 80_000n, 70_000n);
    const outcome = planConsolidation(
      requested,
      { kind: "rate", rate, most: null },
      floor,
      10n ** 9n,
    );
    expect(outcome).toMatchObject({ kind: "plan", plan: { feeUnits: 20_000n } });
  });
});
