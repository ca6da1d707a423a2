import { describe, expect, it } from "vitest";
import type {
  SweepAsset,
  SweepPreparation,
  SweepState,
  SweepSurvey,
} from "../../chains/paying-port.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { decideSweeps, type SweepTerms } from "./decide-sweeps.ts";

/*
 * One unit of a token is worth one of the coin. A transaction costs 21, an address in a batch 30, or 5 once it is prepared, a
 * token 50, and the coin 10 in a batch.
 */

const coin = "1002" as CurrencyId;
const token = "2015" as CurrencyId;
const other = "2014" as CurrencyId;

const terms: SweepTerms = {
  coin,
  worth: (currency, units) => (currency === other ? null : units),
  worthTimes: 2n,
  awaited: new Set(),
  sourcesMax: 2,
};

function survey(states: readonly SweepState[], more: Partial<SweepSurvey> = {}): SweepSurvey {
  return {
    mode: "batch",
    setUpFeeUnits: null,
    batchFeeUnits: 21n,
    releaseFeeUnits: 51n,
    usualFeeUnits: { coin: 21n, token: 80n },
    states,
    fitsOneTransaction: () => true,
    ...more,
  };
}

const topUp: SweepPreparation = { kind: "topUp", units: 7n };

let nextKey = 0;

function held(
  assets: Partial<Record<"coin" | "token" | "other", number>>,
  more: {
    readonly isPrepared?: boolean;
    readonly moves?: boolean;
    readonly preparation?: SweepPreparation;
    readonly times?: bigint;
  } = {},
): SweepState {
  nextKey += 1;
  const { isPrepared = false, moves = true, preparation = null, times = 1n } = more;
  const ids = { coin, token, other };
  return {
    keyIndex: nextKey,
    address: `0x${nextKey}`,
    sequence: 0n,
    isPrepared,
    batchFeeUnits: isPrepared ? 5n : 30n,
    assets: Object.entries(assets).map(([name, units]): SweepAsset => {
      const final = BigInt(units);
      const currency = ids[name as keyof typeof ids];
      const isCoin = currency === coin;
      const alone = isCoin ? 21n : 71n + (preparation === null ? 0n : 21n);
      return {
        currency,
        latest: final,
        final,
        work: isCoin || moves ? 50n : null,
        feeUnits: { inBatch: (isCoin ? 10n : 50n) * times, alone: alone * times },
        preparation: isCoin ? null : preparation,
      };
    }),
  };
}

/** `batch 1:token+coin 2:token`, `single 3:coin`, `prepare topUp 4:token`. */
function describeSteps(input: SweepSurvey, with_: Partial<SweepTerms> = {}): readonly string[] {
  const names = new Map([
    [coin, "coin"],
    [token, "token"],
    [other, "other"],
  ]);
  const first = input.states[0]?.keyIndex ?? 0;
  return decideSweeps(input, { ...terms, ...with_ }).map(({ plan, sources }) => {
    const what = sources.map(
      ({ state, currencies }) =>
        `${state.keyIndex - first + 1}:${currencies.map((currency) => names.get(currency)).join("+")}`,
    );
    const name = plan.kind === "prepare" ? `prepare ${plan.preparation.kind}` : plan.kind;
    return [name, ...what].join(" ");
  });
}

describe("decideSweeps", () => {
  it.each<readonly [string, SweepSurvey, readonly string[]]>([
    ["does nothing without holdings", survey([]), []],
    ["sweeps a token worth twice the whole fee", survey([held({ token: 202 })]), ["batch 1:token"]],
    ["leaves a token worth less than that", survey([held({ token: 201 })]), []],
    [
      "sweeps two tokens that bear the fee together",
      survey([held({ token: 181 }), held({ token: 181 })]),
      ["batch 1:token 2:token"],
    ],
    [
      "leaves out one that does not bear its own part of the fee",
      survey([held({ token: 150 }), held({ token: 900 })]),
      ["batch 2:token"],
    ],
    [
      "sweeps one for less if its address is prepared already",
      survey([held({ token: 152 }, { isPrepared: true })]),
      ["batch 1:token"],
    ],
    [
      "sweeps the coin along with a token",
      survey([held({ token: 900, coin: 20 })]),
      ["batch 1:token+coin"],
    ],
    [
      "leaves too little coin beside a token",
      survey([held({ token: 900, coin: 19 })]),
      ["batch 1:token"],
    ],
    [
      "sweeps the coin alone in its own transaction",
      survey([held({ coin: 42 })]),
      ["single 1:coin"],
    ],
    ["leaves too little coin", survey([held({ coin: 41 })]), []],
    ["leaves a token that refuses to move", survey([held({ token: 900 }, { moves: false })]), []],
    ["leaves a token without a price", survey([held({ other: 900 })]), []],
    [
      "splits a batch that exceeds the most addresses per transaction",
      survey([held({ token: 900 }), held({ token: 900 }), held({ token: 900 })]),
      ["batch 1:token 2:token", "batch 3:token"],
    ],
    [
      "splits a batch that exceeds the gas of one transaction",
      survey([held({ token: 900 }), held({ token: 900, coin: 90 }), held({ token: 900 })], {
        fitsOneTransaction: (sources) =>
          sources.flatMap(({ currencies }) => currencies).length <= 2,
      }),
      ["batch 1:token", "batch 2:token+coin", "batch 3:token"],
    ],
    [
      "leaves everything while fees are high",
      survey([held({ token: 202 }, { times: 2n }), held({ coin: 42 }, { times: 2n })]),
      [],
    ],
  ])("%s", (_, input, expected) => {
    expect(describeSteps(input)).toEqual(expected);
  });

  it.each<readonly [string, SweepSurvey, readonly string[]]>([
    [
      "sweeps a token whose address can pay the fee",
      survey([held({ token: 142 })], { mode: "single" }),
      ["single 1:token"],
    ],
    [
      "tops up an address that cannot pay the fee",
      survey([held({ token: 184 }, { preparation: topUp })], { mode: "single" }),
      ["prepare topUp 1:token"],
    ],
    [
      "lends resources to an address that can use them instead of coin",
      survey([held({ token: 184 }, { preparation: { kind: "lend", units: 9n } })], {
        mode: "single",
      }),
      ["prepare lend 1:token"],
    ],
    [
      "leaves a token that is not worth a top-up",
      survey([held({ token: 183 }, { preparation: topUp })], { mode: "single" }),
      [],
    ],
    [
      "sweeps tokens before the coin that pays for them",
      survey([held({ coin: 900, token: 900 })], { mode: "single" }),
      ["single 1:token"],
    ],
    ["sweeps the coin alone", survey([held({ coin: 42 })], { mode: "single" }), ["single 1:coin"]],
    [
      "takes a prepared address first, whatever the others are worth",
      survey([held({ coin: 900 }), held({ token: 142 }, { isPrepared: true })], {
        mode: "single",
      }),
      ["single 2:token", "single 1:coin"],
    ],
  ])("without batches: %s", (_, input, expected) => {
    expect(describeSteps(input)).toEqual(expected);
  });

  it("sweeps what payouts wait for first, and if it is worth its fee just once", () => {
    const input = survey([held({ token: 900 }), held({ coin: 21 }), held({ token: 101 })]);
    expect(describeSteps(input)).toEqual(["batch 1:token"]);
    expect(describeSteps(input, { awaited: new Set([coin]) })).toEqual([
      "batch 1:token",
      "single 2:coin",
    ]);
    expect(describeSteps(input, { awaited: new Set([token]) })).toEqual(["batch 1:token 3:token"]);
    const late = survey([
      held({ token: 900 }),
      held({ token: 900 }),
      held({ token: 900, coin: 90 }),
    ]);
    expect(describeSteps(late, { awaited: new Set([coin]) })[0]).toBe("batch 3:token+coin 1:token");
  });

  it("reports the fee that the plan is expected to burn", () => {
    const input = survey([
      held({ token: 900, coin: 90 }),
      held({ token: 900 }, { isPrepared: true }),
    ]);
    expect(decideSweeps(input, terms).map(({ feeUnits }) => feeUnits)).toEqual([
      21n + (30n + 50n + 10n) + (5n + 50n),
    ]);
  });
});
