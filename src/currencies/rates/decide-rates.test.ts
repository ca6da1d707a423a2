import { describe, expect, it } from "vitest";
import { addSeconds, type Instant, instantFromSeconds } from "../../platform/kernel/clock.ts";
import { formatDecimal, parseDecimal } from "../../platform/kernel/decimal.ts";
import { decideRates, type PublishedQuote, type SourceQuote } from "./decide-rates.ts";

const now = instantFromSeconds(1_800_000_000);

function units(text: string): bigint {
  const parsed = parseDecimal(text, 18);
  if (parsed.kind !== "units") throw new Error(text);
  return parsed.units;
}

/** `kraken 100/101 -10` is a source's bid and ask, fetched ten seconds ago. */
function said(line: string): SourceQuote {
  const [source = "", price = "", age = "0"] = line.split(" ");
  const [bid = "", ask = bid] = price.split("/");
  const quote = { bid: units(bid), ask: units(ask) };
  return { source, symbol: "BTC", quote, fetchedAt: addSeconds(now, Number(age)) };
}

function previously(price: string | null, age: number): ReadonlyMap<string, PublishedQuote> {
  if (price === null) return new Map();
  const createdAt = addSeconds(now, age);
  const quote = { bid: units(price), ask: units(price) };
  const expiredAt = addSeconds(createdAt, 60);
  return new Map([["BTC", { symbol: "BTC", quote, sources: 1, createdAt, expiredAt }]]);
}

function decide(lines: readonly string[], price: string | null = null, age = -30): string {
  const decision = decideRates(
    lines.map(said),
    new Map([["ecb", 3_600]]),
    previously(price, age),
    now,
  );
  const [published] = decision.published;
  if (published === undefined) return decision.withheld[0]?.reason ?? "nothing";
  const short = (value: bigint) => formatDecimal(value, 18).replace(/\.?0+$/, "");
  return `${short(published.quote.bid)}/${short(published.quote.ask)} of ${published.sources}`;
}

describe("decideRates", () => {
  it.each<[string, readonly string[], string]>([
    ["one source as it is", ["a 100/101"], "100/101 of 1"],
    ["of two the lower bid and the higher ask", ["a 100/101", "b 102/103"], "100/103 of 2"],
    ["of three the middle", ["a 100", "b 102", "c 101"], "101/101 of 3"],
    ["one of three may be absurd", ["a 100", "b 9000", "c 101"], "101/101 of 3"],
    ["of four the inner two", ["a 100", "b 101", "c 102", "d 1"], "100/101 of 4"],
    ["fresh is two rounds", ["a 100 -60"], "100/100 of 1"],
    ["older is not", ["a 100 -61"], "nothing"],
    ["an old source has no say beside a fresh one", ["a 100 -61", "b 102"], "102/102 of 1"],
    ["a fixing where there is no market", ["ecb 99"], "99/99 of 1"],
    ["and not beside one", ["ecb 99", "a 100"], "100/100 of 1"],
    ["nor beside an old one", ["ecb 99", "a 100 -61"], "99/99 of 1"],
    ["a fixing for an hour and two rounds", ["ecb 99 -3660"], "99/99 of 1"],
    ["and no longer", ["ecb 99 -3661"], "nothing"],
    ["two that contradict each other", ["a 100", "b 120"], "sources disagree"],
    ["a crossed quote", ["a 101/100"], "implausible"],
    ["a spread that no market has", ["a 100/111"], "implausible"],
    ["a price below all bounds", ["a 0.0000000000001"], "implausible"],
    ["a price above all bounds", ["a 10000000000"], "implausible"],
  ])("publishes %s", (_, lines, expected) => {
    expect(decide(lines)).toBe(expected);
  });

  it.each<[string, readonly string[], string, number, string]>([
    ["a move by less than half", ["a 149"], "100", -30, "149/149 of 1"],
    ["a rise by exactly half", ["a 150"], "100", -30, "150/150 of 1"],
    ["a fall by exactly a third", ["a 100"], "150", -30, "100/100 of 1"],
    ["one source that jumps up", ["a 151"], "100", -30, "jump of a single source"],
    ["one source that jumps down", ["a 66"], "100", -30, "jump of a single source"],
    ["two that jump together", ["a 1000", "b 1001"], "100", -30, "1000/1001 of 2"],
    ["a jump after exactly an hour", ["a 1000"], "100", -3_600, "jump of a single source"],
    ["after an hour without prices", ["a 1000"], "100", -3_601, "1000/1000 of 1"],
  ])("handles %s", (_, lines, price, age, expected) => {
    expect(decide(lines, price, age)).toBe(expected);
  });

  it("keeps a price for two refreshes after its newest source", () => {
    const { published } = decideRates(
      [said("a 100 -50"), said("b 100 -20")],
      new Map(),
      new Map(),
      now,
    );
    expect(published[0]).toMatchObject({
      createdAt: addSeconds(now, -20) satisfies Instant,
      expiredAt: addSeconds(now, 40) satisfies Instant,
    });
  });
});
