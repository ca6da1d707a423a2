import { describe, expect, it } from "vitest";
import { fc } from "../../../test/support/property.ts";
import type { AddressTypeName } from "../../currencies/utxo-facts.ts";
import { aimOf, type PlanOutcome, planConsolidation, planPayment } from "./plan-payment.ts";
import { planReplacement } from "./plan-replacement.ts";
import type { Plan, SpendableCoin, SpendRequest } from "./plan-spend.ts";
import {
  feeAt,
  feeOfWeight,
  inputWeight,
  standardWeightMax,
  virtualSizeOf,
} from "./transaction-weight.ts";

/*
 * Plans for random payments from random coins: value is conserved to the unit, fees stay within their bounds, no change is dust,
 * and little more than the target fee is ever burned.
 */

const types: readonly AddressTypeName[] = ["legacy", "p2sh-segwit", "bech32", "bech32m"];
const floor = { relay: 1_000n, increment: 1_000n };
const change = { scriptLength: 22, addressType: "bech32" as const, dust: 294n };

function coinsOf(
  list: readonly { readonly units: bigint; readonly addressType: AddressTypeName }[],
): readonly SpendableCoin[] {
  return list.map((each, keyIndex) => ({
    claim: `${"ab".repeat(32)}:${keyIndex}`,
    branch: 0 as const,
    keyIndex,
    ...each,
  }));
}

const anyUnits = fc.oneof(
  fc.bigInt(1n, 500n),
  fc.bigInt(500n, 50_000n),
  fc.bigInt(50_000n, 10_000_000n),
);
const anyCoins = fc
  .array(fc.record({ units: anyUnits, addressType: fc.constantFrom(...types) }), { maxLength: 12 })
  .map(coinsOf);
const anyPurse = fc
  .record({
    coins: anyCoins,
    payments: fc.array(
      fc.record({
        units: fc.bigInt(330n, 3_000_000n),
        length: fc.constantFrom(22, 23, 25, 34),
      }),
      { minLength: 1, maxLength: 5 },
    ),
  })
  .map(
    ({ coins, payments }): SpendRequest => ({
      coins,
      paid: payments.reduce((sum, { units }) => sum + units, 0n),
      scriptLengths: payments.map(({ length }) => length),
      change,
    }),
  );

const sum = (coins: readonly SpendableCoin[]): bigint =>
  coins.reduce((total, { units }) => total + units, 0n);

function sizeOf({ scriptLengths }: SpendRequest, plan: Plan): number {
  const lengths = plan.change === null ? scriptLengths : [...scriptLengths, change.scriptLength];
  const inputs = plan.coins.map(({ addressType }) => addressType);
  return virtualSizeOf({ inputs, scriptLengths: lengths });
}

/** Checks that every plan must pass. */
function expectSound(purse: SpendRequest, plan: Plan, ceiling: bigint): void {
  expect(sum(plan.coins)).toBe(purse.paid + (plan.change ?? 0n) + plan.feeUnits);
  expect(new Set(plan.coins).size).toBe(plan.coins.length);
  for (const coin of plan.coins) expect(purse.coins).toContain(coin);
  expect(plan.vsize).toBe(sizeOf(purse, plan));
  expect(plan.feeUnits).toBeGreaterThanOrEqual(feeAt(floor.relay, plan.vsize));
  expect(plan.feeUnits).toBeLessThanOrEqual(ceiling);
  if (plan.change !== null) expect(plan.change).toBeGreaterThanOrEqual(change.dust);
}

function planOf(outcome: PlanOutcome): Plan {
  if (outcome.kind !== "plan") throw new Error(`no plan: ${outcome.kind}`);
  return outcome.plan;
}

describe("planning at a fee rate", () => {
  it.each([
    // rate, coins; the coins that pay, whether there is change
    [50_000n, [1_000_000n, 20_500n, 20_500n, 20_500n, 20_500n, 20_500n, 20_500n], 1, true],
    [50_000n, [1_000_000n, 54_600n, 54_600n], 1, true],
    [50_000n, [1_000_000n, 105_600n], 1, false],
    [1_000n, [1_000_000n, 50_100n, 50_100n], 2, false],
  ] as const)(
    "avoids change unless the further inputs cost more than it, at %i: %o",
    (rate, units, count, hasChange) => {
      const coins = coinsOf(units.map((each) => ({ units: each, addressType: "bech32" })));
      const purse = { coins, paid: 100_000n, scriptLengths: [22], change };
      const outcome = planPayment(purse, { kind: "rate", rate, most: null }, floor, 10n ** 9n);
      const plan = planOf(outcome);
      expect(plan.coins).toHaveLength(count);
      expect(plan.change !== null).toBe(hasChange);
    },
  );

  it("conserves value, reaches the rate, burns little, and spends no coin that costs more than it is worth", () => {
    fc.assert(
      fc.property(anyPurse, fc.bigInt(1_000n, 80_000n), (purse, rate) => {
        const ceiling = 10n ** 9n;
        const outcome = planPayment(purse, { kind: "rate", rate, most: null }, floor, ceiling);
        if (outcome.kind === "insufficient") {
          expect(outcome.missing).toBeGreaterThan(0n);
          return;
        }
        const plan = planOf(outcome);
        expectSound(purse, plan, ceiling);
        expect(plan.feeUnits).toBeGreaterThanOrEqual(feeAt(rate, plan.vsize));
        for (const { addressType, units } of plan.coins)
          expect(units).toBeGreaterThan(feeOfWeight(rate, inputWeight(addressType)));
        if (plan.change !== null) expect(plan.feeUnits).toBe(feeAt(rate, plan.vsize));
        // A change output, and spending it later at the minimum rate: avoiding change never gives up more than that.
        const changeCost = feeAt(rate, 32) + 294n;
        expect(plan.feeUnits - feeAt(rate, plan.vsize)).toBeLessThanOrEqual(changeCost);
      }),
      { numRuns: 2_000 },
    );
  });

  it("is insufficient only if the coins' net value does not cover it", () => {
    fc.assert(
      fc.property(anyPurse, fc.bigInt(1_000n, 80_000n), (purse, rate) => {
        const outcome = planPayment(purse, { kind: "rate", rate, most: null }, floor, 10n ** 9n);
        const inputs = purse.coins.filter(
          ({ addressType, units }) => units > feeOfWeight(rate, inputWeight(addressType)),
        );
        const { scriptLengths } = purse;
        const size = virtualSizeOf({
          inputs: inputs.map(({ addressType }) => addressType),
          scriptLengths,
        });
        // Each input's cost is rounded up separately: up to a unit each, and one virtual byte in total.
        const slack = BigInt(inputs.length) + feeAt(rate, 2);
        const covers = sum(inputs) >= purse.paid + feeAt(rate, size) + slack;
        if (covers) expect(outcome.kind).toBe("plan");
      }),
      { numRuns: 1_000 },
    );
  });

  it("lets several payments share their charges and never burns more than those", () => {
    fc.assert(
      fc.property(anyPurse, fc.bigInt(500n, 50_000n), (purse, feeTarget) => {
        fc.pre(purse.scriptLengths.length > 1);
        const aim = aimOf(purse, feeTarget, 0n, "bech32");
        const outcome = planPayment(purse, aim, floor, 10n ** 9n);
        if (outcome.kind !== "plan") return;
        const { plan } = outcome;
        expectSound(purse, plan, 10n ** 9n);
        // Only the nodes' minimum may exceed the charges.
        const least = feeAt(floor.relay, plan.vsize) + feeAt(floor.relay, 32) + change.dust;
        expect(plan.feeUnits <= feeTarget || plan.feeUnits <= least).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("planning at a fixed fee", () => {
  it("burns exactly the fee, unless the remainder would be dust or nodes require more for the size", () => {
    fc.assert(
      fc.property(anyPurse, fc.bigInt(100n, 40_000n), (purse, feeUnits) => {
        const ceiling = 10n ** 9n;
        const outcome = planPayment(purse, { kind: "fee", feeUnits }, floor, ceiling);
        if (outcome.kind === "insufficient") return;
        const plan = planOf(outcome);
        expectSound(purse, plan, ceiling);
        if (plan.change !== null) {
          const least = feeAt(floor.relay, plan.vsize);
          expect(plan.feeUnits).toBe(least > feeUnits ? least : feeUnits);
        } else if (plan.feeUnits >= feeUnits + change.dust) {
          expect(plan.feeUnits).toBeLessThan(feeAt(floor.relay, plan.vsize + 32) + change.dust);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("never exceeds the ceiling, and is too expensive only if nodes require more than that", () => {
    fc.assert(
      fc.property(
        anyPurse,
        fc.bigInt(100n, 3_000n),
        fc.bigInt(50n, 3_000n),
        (purse, feeUnits, ceiling) => {
          const outcome = planPayment(purse, { kind: "fee", feeUnits }, floor, ceiling);
          if (outcome.kind === "plan") expectSound(purse, outcome.plan, ceiling);
          if (outcome.kind === "tooExpensive") expect(outcome.feeUnits).toBeGreaterThan(ceiling);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it.each([
    { name: "one coin, the rest is change", coins: [100_000n], change: 49_000n, fee: 1_000n },
    { name: "an exact coin", coins: [51_000n, 90_000n], change: null, fee: 1_000n },
    { name: "a coin with less than dust too much", coins: [51_293n], change: null, fee: 1_293n },
    { name: "a coin with dust too much", coins: [51_294n], change: 294n, fee: 1_000n },
    {
      name: "two coins, the smaller one as it suffices",
      coins: [40_000n, 30_000n, 12_000n],
      change: 1_000n,
      fee: 1_000n,
    },
  ])("$name", ({ coins, change: expected, fee }) => {
    const purse: SpendRequest = {
      coins: coinsOf(coins.map((units) => ({ units, addressType: "bech32" }))),
      paid: 50_000n,
      scriptLengths: [22],
      change,
    };
    const plan = planOf(planPayment(purse, { kind: "fee", feeUnits: 1_000n }, floor, 10_000n));
    expect(plan).toMatchObject({ change: expected, feeUnits: fee });
  });

  it("creates the smallest change if burning a remainder below dust would exceed the ceiling", () => {
    const purse: SpendRequest = {
      coins: coinsOf([{ units: 51_293n, addressType: "bech32" }]),
      paid: 50_000n,
      scriptLengths: [22],
      change,
    };
    const plan = planOf(planPayment(purse, { kind: "fee", feeUnits: 1_000n }, floor, 1_000n));
    expect(plan).toMatchObject({ change: 294n, feeUnits: 999n });
  });

  it("spends coins below their own cost only if the others do not suffice", () => {
    const purse: SpendRequest = {
      coins: coinsOf([
        { units: 50_900n, addressType: "bech32" },
        { units: 100n, addressType: "legacy" },
      ]),
      paid: 50_000n,
      scriptLengths: [22],
      change,
    };
    const aim = { kind: "fee" as const, feeUnits: 900n };
    expect(planOf(planPayment(purse, aim, floor, 10_000n)).coins).toHaveLength(1);
    const more = { kind: "fee" as const, feeUnits: 1_000n };
    expect(planOf(planPayment(purse, more, floor, 10_000n)).coins).toHaveLength(2);
  });

  it("is insufficient if the coins do not fit into one transaction, until they are consolidated", () => {
    const coins = coinsOf(
      Array.from({ length: 2_000 }, () => ({ units: 1_000n, addressType: "bech32" as const })),
    );
    const purse: SpendRequest = { coins, paid: 1_500_000n, scriptLengths: [22], change };
    const aim = { kind: "fee" as const, feeUnits: 1_000n };
    // 1,474 inputs fit, and a transaction of that size pays 100,000 units.
    expect(planPayment(purse, aim, floor, 10n ** 9n)).toEqual({
      kind: "insufficient",
      missing: 126_000n,
    });
    const fewer = { ...purse, paid: 1_000_000n };
    expect(planPayment(fewer, aim, floor, 10n ** 9n)).toMatchObject({ kind: "plan" });
  });
});

describe("consolidating coins", () => {
  it("moves every coin that is worth moving, as far as they fit", () => {
    fc.assert(
      fc.property(anyCoins, fc.bigInt(1_000n, 20_000n), (coins, rate) => {
        const purse: SpendRequest = { coins, paid: 0n, scriptLengths: [], change };
        const ceiling = 10n ** 9n;
        const outcome = planConsolidation(
          purse,
          { kind: "rate", rate, most: null },
          floor,
          ceiling,
        );
        const worth = coins.filter(
          ({ addressType, units }) => units > feeOfWeight(rate, inputWeight(addressType)),
        );
        if (outcome.kind !== "plan") {
          expect(outcome.kind).toBe("impossible");
          return;
        }
        expectSound(purse, outcome.plan, ceiling);
        expect(outcome.plan.coins).toEqual(worth);
        expect(outcome.plan.feeUnits).toBe(feeAt(rate, outcome.plan.vsize));
      }),
      { numRuns: 1_000 },
    );
    const many = coinsOf(
      Array.from({ length: 2_000 }, () => ({ units: 10_000n, addressType: "bech32" as const })),
    );
    const purse: SpendRequest = { coins: many, paid: 0n, scriptLengths: [], change };
    const aim = { kind: "rate" as const, rate: 1_000n, most: null };
    const plan = planOf(planConsolidation(purse, aim, floor, 10n ** 9n));
    expect(4 * plan.vsize).toBeLessThanOrEqual(standardWeightMax);
    expect(plan.coins.length).toBeGreaterThan(1_400);
    expect(planConsolidation(purse, aim, floor, 1_000n)).toMatchObject({ kind: "tooExpensive" });
  });
});

describe("replacing a transaction", () => {
  it("keeps every coin, pays what nodes require, and stays within the ceiling", () => {
    fc.assert(
      fc.property(
        anyPurse,
        fc.bigInt(200n, 5_000n),
        fc.option(fc.bigInt(100n, 50_000n), { nil: null }),
        fc.bigInt(300n, 60_000n),
        (purse, oldFee, feeTarget, ceiling) => {
          const before = planPayment(purse, { kind: "fee", feeUnits: oldFee }, floor, 10n ** 9n);
          if (before.kind !== "plan") return;
          const old = before.plan;
          const aim = aimOf(purse, feeTarget, 8_000n, "bech32");
          const outcome = planReplacement(purse, old, aim, floor, ceiling);
          if (outcome.kind === "tooExpensive") expect(outcome.feeUnits).toBeGreaterThan(ceiling);
          if (outcome.kind !== "plan") return;
          const { plan } = outcome;
          expectSound(purse, plan, ceiling);
          expect(plan.coins.slice(0, old.coins.length)).toEqual(old.coins);
          expect(plan.feeUnits).toBeGreaterThanOrEqual(
            old.feeUnits + feeAt(floor.increment, plan.vsize),
          );
          // A higher rate than the old transaction's, compared without division.
          expect(plan.feeUnits * BigInt(old.vsize)).toBeGreaterThan(
            old.feeUnits * BigInt(plan.vsize),
          );
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("pays a higher rate, not only a higher fee, if more coins make it larger", () => {
    const coins = coinsOf([
      { units: 55_000n, addressType: "bech32" },
      { units: 90_000n, addressType: "bech32" },
    ]);
    const purse: SpendRequest = { coins, paid: 50_000n, scriptLengths: [22], change };
    // Without change: 110 virtual bytes, 109 with a short signature.
    const alone = { ...purse, coins: coins.slice(0, 1) };
    const old = planOf(planPayment(alone, { kind: "fee", feeUnits: 5_000n }, floor, 99_999n));
    expect(old.vsize).toBe(110);
    const aim = { kind: "fee" as const, feeUnits: 5_000n };
    const plan = planOf(planReplacement(purse, old, aim, floor, 99_999n));
    expect(plan).toMatchObject({ vsize: 208, feeUnits: (5_000n * 208n) / 109n + 1n });
  });

  it("adds coins only if the old ones do not suffice", () => {
    const coins = coinsOf([
      { units: 60_000n, addressType: "bech32" },
      { units: 5_000n, addressType: "bech32" },
      { units: 90_000n, addressType: "bech32" },
    ]);
    const purse: SpendRequest = { coins, paid: 50_000n, scriptLengths: [22], change };
    const old = planOf(
      planPayment(
        { ...purse, coins: coins.slice(0, 1) },
        { kind: "fee", feeUnits: 500n },
        floor,
        9_999n,
      ),
    );
    const aimed = (feeUnits: bigint): Plan =>
      planOf(planReplacement(purse, old, { kind: "fee", feeUnits }, floor, 99_999n));
    expect(aimed(9_000n).coins).toEqual(coins.slice(0, 1));
    expect(aimed(12_000n).coins).toEqual([coins[0], coins[1]]);
    expect(aimed(40_000n).coins).toEqual([coins[0], coins[2]]);
    // As far as the coins allow, which is better than no replacement.
    const alone = { ...purse, coins: coins.slice(0, 1) };
    const outcome = planReplacement(alone, old, { kind: "fee", feeUnits: 12_000n }, floor, 99_999n);
    expect(planOf(outcome).feeUnits).toBe(500n + 141n);
  });
});
