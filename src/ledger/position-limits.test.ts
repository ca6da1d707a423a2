import { describe, expect, it } from "vitest";
import { useDatabase } from "../../test/support/database.ts";
import { eth, testCurrencies, usd } from "../../test/support/deposit-world.ts";
import type { CurrencyId } from "../platform/kernel/money.ts";
import { Rejected } from "../platform/kernel/rejection.ts";
import { appendPositions, readPositions } from "./position.store.ts";
import { createFindPositionFault, enforcePositionLimits } from "./position-limits.ts";

/* Conversions on a real database, with at most ten units of ether in either direction, and dollars without a limit. */

const { db } = useDatabase();
const limits = { currencies: testCurrencies, max: new Map([[eth, 10n]]) };

async function positionOf(currency: CurrencyId): Promise<bigint> {
  return (await readPositions(db)).get(currency) ?? 0n;
}

/** Takes the position of ether there, whatever the limits. */
async function arrange(units: bigint): Promise<void> {
  await appendPositions(db, new Map([[eth, units - (await positionOf(eth))]]));
}

function convert(currency: CurrencyId, units: bigint, max = limits.max): Promise<string> {
  return db.transaction((tx) =>
    enforcePositionLimits(tx, { ...limits, max }, async () => {
      await appendPositions(tx, new Map([[currency, units]]));
      return "converted";
    }),
  );
}

describe("a conversion", () => {
  it.each<[bigint, bigint]>([
    [0n, 10n],
    [0n, -10n],
    [15n, -1n],
    [-15n, 1n],
    [15n, -30n],
    [-15n, 30n],
  ])("may change the position of %d units by %d", async (before, change) => {
    await arrange(before);
    expect(await convert(eth, change)).toBe("converted");
    expect(await positionOf(eth)).toBe(before + change);
    expect(await predict(before, change)).toBeNull();
  });

  it.each<[bigint, bigint]>([
    [0n, 11n],
    [0n, -11n],
    [10n, 1n],
    [-10n, -1n],
    [15n, 1n],
    [15n, -31n],
  ])(
    "is refused if it changes a position of %d units by %d, and changes nothing",
    async (before, change) => {
      await arrange(before);
      const refused = await convert(eth, change).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(Rejected);
      const detail = "Conversions of ETH have reached the operator's limit. Try again later.";
      expect((refused as Rejected).rejections[0]).toMatchObject({ name: "feeUnavailable", detail });
      expect(await positionOf(eth)).toBe(before);
      expect(await predict(before, change)).toMatchObject({ detail });
    },
  );

  it("in a currency without a limit is allowed, even while another one is beyond its own", async () => {
    await arrange(15n);
    expect(await convert(usd, 1_000_000n)).toBe("converted");
    expect(await convert(eth, 1n, new Map())).toBe("converted");
  });

  it("waits for the one before it, so that two which fit only alone never both pass", async () => {
    await arrange(0n);
    const results = await Promise.allSettled([convert(eth, 6n), convert(eth, 6n)]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await positionOf(eth)).toBe(6n);
  });

  it("is allowed in advance where there are no limits, without a look at positions", async () => {
    const find = createFindPositionFault(
      { query: () => Promise.reject(new Error("positions were read")) },
      { ...limits, max: new Map() },
    );
    expect(await find([[eth, 1_000n]])).toBeNull();
  });

  it("is made without a look at positions where there are no limits", async () => {
    const unread = { query: () => Promise.reject(new Error("positions were read")) };
    const made = enforcePositionLimits(unread, { ...limits, max: new Map() }, () =>
      Promise.resolve("converted"),
    );
    expect(await made).toBe("converted");
  });

  it("is judged in advance by the sum of its changes", async () => {
    await arrange(0n);
    const find = createFindPositionFault(db, limits);
    expect(
      await find([
        [eth, 6n],
        [usd, 5n],
      ]),
    ).toBeNull();
    expect(
      await find([
        [eth, 6n],
        [eth, 6n],
      ]),
    ).not.toBeNull();
    expect(
      await find([
        [eth, 16n],
        [eth, -6n],
      ]),
    ).toBeNull();
  });

  async function predict(before: bigint, change: bigint): Promise<unknown> {
    await arrange(before);
    return createFindPositionFault(db, limits)([[eth, change]]);
  }
});
