import { describe, expect, it } from "vitest";
import { fc } from "../../../test/support/property.ts";
import type { AssetUnits } from "./block.ts";
import type { CardanoParameters } from "./parameters.ts";
import { type HeldCoin, type Plan, planSpend, type SpendRequest } from "./plan-spend.ts";
import { merge } from "./token-bundles.ts";
import { leastUnits, transactionBytes, valueBytes } from "./transaction-size.ts";
import { withheldUnits } from "./withheld-units.ts";

/*
 * Payments from coins with tokens. What a merchant was credited for such coins can be paid out, whatever else lies with them, and the tokens come
 * back to us.
 */

const ada = 1_000_000n;
const parameters: CardanoParameters = {
  feePerByte: 44n,
  feeConstant: 155_381n,
  coinsPerByte: 4_310n,
  transactionBytesMax: 16_384,
  valueBytesMax: 5_000,
  scriptFee: { base: 15, range: 25_600, multiplier: 1.2 },
};
const addressBytes = 29;

let coins = 0;
/** A coin with its tokens, at an address of its own. */
function coin(units: bigint, assets: readonly AssetUnits[] = [], scriptBytes = 0): HeldCoin {
  coins += 1;
  const claim = `${"ab".repeat(32)}:${coins % 5}`;
  return { claim, units, branch: 0, keyIndex: coins, assets, scriptBytes };
}

/** Tokens of different policies, 37 bytes each. */
function tokens(count: number, from = 0, units = 1n): readonly AssetUnits[] {
  return Array.from({ length: count }, (_, at) => ({
    asset: `${(from + at).toString(16).padStart(56, "0")}.abababab`,
    units,
  }));
}
/** 4,964 bytes of them: two such bundles do not fit into one output. */
const fat = (from: number) => tokens(134, from);

function requestOf(
  held: readonly HeldCoin[],
  paid: readonly bigint[],
  more: Partial<SpendRequest> = {},
): SpendRequest {
  return {
    coins: held,
    required: [],
    payments: paid.map((units) => ({ addressBytes: 57, units, assets: [] })),
    change: { addressBytes, partsMax: 4 },
    ttl: 2 ** 30,
    feeCeiling: 2n * ada,
    parameters,
    ...more,
  };
}

function planned(request: SpendRequest): Plan {
  const outcome = planSpend(request);
  if (outcome.kind !== "plan") throw new Error(`it is ${outcome.kind}`);
  expectAcceptable(request, outcome.plan);
  return outcome.plan;
}

/** What the ledger demands: inputs equal outputs and fee in every asset, outputs hold their least, and nothing is too large. */
function expectAcceptable({ payments, ttl }: SpendRequest, plan: Plan): void {
  const sum = (parts: readonly { readonly units: bigint }[]) =>
    parts.reduce((total, { units }) => total + units, 0n);
  expect(sum(plan.coins)).toBe(sum(payments) + sum(plan.change) + plan.feeUnits);
  expect(merge(plan.change)).toEqual(merge(plan.coins));
  const change = plan.change.map((part) => ({ ...part, addressBytes }));
  for (const part of change) {
    expect(part.units).toBeGreaterThanOrEqual(leastUnits(parameters, part));
    expect(valueBytes(part)).toBeLessThanOrEqual(parameters.valueBytesMax);
    for (const { units } of part.assets) expect(units).toBeLessThan(2n ** 63n);
  }
  const shape = {
    inputIndexes: plan.coins.map(({ claim }) => Number(claim.split(":")[1])),
    keys: plan.coins.length,
    outputs: [...payments, ...change],
    ttl,
  };
  expect(transactionBytes(shape)).toBeLessThanOrEqual(parameters.transactionBytesMax);
}

const credited = (held: readonly HeldCoin[]): bigint =>
  held.reduce((sum, one) => sum + one.units - withheldUnits(one), 0n);

describe("a payment from coins with tokens", () => {
  it("spends what was credited for them, up to fee and change", () => {
    const anyCoin = fc
      .record({
        units: fc.bigInt(2n * ada, 5_000n * ada),
        count: fc.nat(12),
        from: fc.nat(20),
        quantity: fc.constantFrom(1n, 23n, 250n, 2n ** 32n, 2n ** 62n),
      })
      .map(({ units, count, from, quantity }) => coin(units, tokens(count, from, quantity)));
    fc.assert(
      fc.property(fc.array(anyCoin, { minLength: 1, maxLength: 10 }), (held) => {
        const units = credited(held) - 3n * ada;
        fc.pre(units > ada);
        planned(requestOf(held, [units]));
      }),
    );
  });

  it("leaves their tokens the least amount, and other change without tokens", () => {
    const { change } = planned(requestOf([coin(100n * ada, tokens(2))], [10n * ada]));
    const kept = change.filter(({ assets }) => assets.length > 0);
    expect(kept).toEqual([
      {
        addressBytes,
        assets: tokens(2),
        units: leastUnits(parameters, { addressBytes, assets: tokens(2) }),
      },
    ]);
    expect(change.length).toBeGreaterThan(1);
  });

  it("leaves what is too little for change with the tokens", () => {
    const held = coin(10n * ada, tokens(1));
    const { change } = planned(requestOf([held], [8_300_000n]));
    expect(change).toHaveLength(1);
    expect(change[0]?.assets).toEqual(tokens(1));
  });

  it("spreads bundles that do not fit into one output", () => {
    const held = [
      coin(1_000n * ada, fat(0)),
      coin(1_000n * ada, fat(200)),
      coin(1_000n * ada, fat(400)),
    ];
    const { change, coins: spent } = planned(requestOf(held, [1_900n * ada]));
    expect(spent).toHaveLength(2);
    expect(change.filter(({ assets }) => assets.length > 0)).toHaveLength(2);
    // Two payments, one after the other, spend what one transaction has no room for.
    expect(planSpend(requestOf(held, [2_800n * ada])).kind).toBe("insufficient");
  });

  it("is not kept from valuable coins by many worthless ones", () => {
    const worthless = Array.from({ length: 300 }, (_, at) => {
      const assets = tokens(1, 1_000 + at);
      return coin(leastUnits(parameters, { addressBytes, assets }), assets);
    });
    const valuable = coin(10_000n * ada, tokens(100));
    const { coins: spent } = planned(requestOf([...worthless, valuable], [9_000n * ada]));
    expect(spent).toEqual([valuable]);
  });

  it("spends pure coins alone while they suffice, and others with them when not", () => {
    const pure = [coin(5n * ada), coin(6n * ada)];
    const rich = coin(50n * ada, tokens(3));
    expect(planned(requestOf([...pure, rich], [8n * ada])).coins).not.toContain(rich);
    expect(planned(requestOf([...pure, rich], [40n * ada])).coins).toContain(rich);
  });

  it("merges no more units of a token than an output may hold, and never spends a coin with more", () => {
    const half = 2n ** 62n;
    const held = [coin(10n * ada, tokens(1, 0, half)), coin(10n * ada, tokens(1, 0, half))];
    expect(
      planned(requestOf(held, [15n * ada])).change.filter(({ assets }) => assets.length > 0),
    ).toHaveLength(2);
    const unspendable = coin(100n * ada, tokens(1, 0, 2n * half));
    expect(planSpend(requestOf([unspendable], [5n * ada])).kind).toBe("insufficient");
    expect(planned(requestOf([unspendable, ...held], [15n * ada])).coins).toHaveLength(2);
    expect(planSpend(requestOf([unspendable, coin(9n * ada)], [])).kind).toBe("insufficient");
  });

  it("carries no more scripts than the ledger allows", () => {
    const held = Array.from({ length: 30 }, () => coin(80n * ada, [], 16_000));
    const spent = planned(requestOf(held, [900n * ada], { feeCeiling: 20n * ada })).coins;
    expect(spent).toHaveLength(12);
    const more = requestOf(held, [1_000n * ada], { feeCeiling: 20n * ada });
    expect(planSpend(more).kind).toBe("insufficient");
  });
});

describe("a merge", () => {
  it("gathers the tokens in one output and the rest in another", () => {
    const held = [coin(3n * ada, tokens(1)), coin(4n * ada, tokens(2)), coin(5n * ada)];
    const { change, coins: spent } = planned(
      requestOf(held, [], { change: { addressBytes, partsMax: 1 } }),
    );
    expect(spent).toHaveLength(3);
    expect(change.map(({ assets }) => assets.length)).toEqual([0, 2]);
  });

  it("is refused if it would leave as many coins", () => {
    for (const held of [[coin(9n * ada)], [coin(90n * ada, fat(0)), coin(90n * ada, fat(200))]])
      expect(planSpend(requestOf(held, [])).kind).toBe("insufficient");
  });
});
