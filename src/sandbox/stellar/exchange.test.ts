import { describe, expect, it } from "vitest";
import { adjustedAmount, exchange, type Limits, type Price, type Rounding } from "./exchange.ts";

/*
 * What crosses at a price. The figures of the first test are those of stellar-core's own (`ExchangeTests.cpp`, "ExchangeV10"); the others
 * follow from its rules.
 */

const max = 2n ** 63n - 1n;

function crossed(
  price: readonly [n: number, d: number],
  limits: Partial<Limits>,
  rounding: Rounding = "offer",
): string {
  const [n, d] = price;
  const all = { wheatSend: max, wheatReceive: max, sheepSend: max, sheepReceive: max, ...limits };
  const { wheat, sheep, wheatStays } = exchange({ n, d } satisfies Price, all, rounding);
  return `${wheat} for ${sheep}${wheatStays ? ", stays" : ""}`;
}

describe("two offers", () => {
  it("favor the one that stays in the book", () => {
    const sends = ([n, d, wheatSend, sheepSend]: readonly [number, number, bigint, bigint]) =>
      crossed([n, d], { wheatSend, sheepSend });
    expect(sends([3, 2, 3000n, 4501n])).toBe("3000 for 4500");
    expect(sends([3, 2, 3000n, 4500n])).toBe("3000 for 4500");
    expect(sends([3, 2, 3000n, 4499n])).toBe("2999 for 4499, stays");
    expect(sends([3, 2, 2999n, 4499n])).toBe("2999 for 4498");
    expect(sends([3, 2, 2999n, 4498n])).toBe("2998 for 4497, stays");
    expect(sends([2, 3, 3000n, 1999n])).toBe("2998 for 1999, stays");
    expect(sends([2, 3, 2999n, 2000n])).toBe("2999 for 1999");
    expect(sends([2, 3, 2999n, 1999n])).toBe("2998 for 1999, stays");
    const receives = ([n, d, wheatReceive, sheepReceive]: readonly [
      number,
      number,
      bigint,
      bigint,
    ]) => crossed([n, d], { wheatReceive, sheepReceive });
    expect(receives([3, 2, 3000n, 4501n])).toBe("3000 for 4500, stays");
    expect(receives([3, 2, 3000n, 4499n])).toBe("2999 for 4498");
    expect(receives([3, 2, 2999n, 4499n])).toBe("2999 for 4499, stays");
    expect(receives([2, 3, 3000n, 1999n])).toBe("2999 for 1999");
    expect(receives([2, 3, 2999n, 2000n])).toBe("2998 for 1999, stays");
    expect(receives([2, 3, 2999n, 1999n])).toBe("2999 for 1999");
  });

  it("move nothing where rounding would cost more than 1 %", () => {
    expect(crossed([3, 2], { wheatSend: 28n, wheatReceive: 27n })).toBe("0 for 0, stays");
    expect(crossed([3, 2], { wheatSend: 52n, wheatReceive: 51n })).toBe("51 for 77, stays");
    expect(crossed([3, 2], { wheatSend: 1n, wheatReceive: 2n })).toBe("0 for 0");
  });

  it("are cut to what can be sent and received, which cuts nothing a second time", () => {
    for (const [price, sends, receives, left] of [
      [{ n: 3, d: 2 }, 97n, max, 97n],
      [{ n: 3, d: 2 }, 1n, max, 0n],
      [{ n: 2, d: 3 }, 100n, max, 99n],
      [{ n: 1, d: 2 }, 1_000n, 100n, 200n],
    ] as const) {
      expect(adjustedAmount(price, sends, receives)).toBe(left);
      expect(adjustedAmount(price, left, receives)).toBe(left);
    }
  });
});

describe("a path payment", () => {
  it("gets exactly what it wants, and overpays the offer for it", () => {
    const limits = { wheatSend: 150n, wheatReceive: 101n };
    expect(crossed([2, 3], limits, "strictReceive")).toBe("101 for 68, stays");
    expect(crossed([3, 2], { wheatSend: 2n, wheatReceive: 1n }, "strictReceive")).toBe(
      "1 for 2, stays",
    );
  });

  it("sends exactly what it has, even for nothing", () => {
    expect(crossed([3, 2], { wheatSend: 100n, sheepSend: 100n }, "strictSend")).toBe(
      "66 for 100, stays",
    );
    expect(crossed([3, 1], { wheatSend: 100n, sheepSend: 2n }, "strictSend")).toBe(
      "0 for 2, stays",
    );
  });
});
