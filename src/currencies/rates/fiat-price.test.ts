import { describe, expect, it } from "vitest";
import { testCurrencies } from "../../../test/support/deposit-world.ts";
import { instantFromSeconds } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { Rate } from "../../platform/kernel/rate.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { findFiatPrice, worthInFiat } from "./fiat-price.ts";

const ether = "1002" as CurrencyId;
const dollar = "840" as CurrencyId;

describe("findFiatPrice", () => {
  it("returns the bid of the rate, and null without one", async () => {
    const [bid, ask] = [5n, 7n].map((units) => ({ units, exp: 2 })) as [Rate, Rate];
    const found = () => Promise.resolve({ bid, ask, expiresAt: instantFromSeconds(0) });
    expect(await findFiatPrice(found, ether, dollar)).toEqual({
      currency: dollar,
      rate: bid,
    });
    expect(await findFiatPrice(() => Promise.resolve(null), ether, dollar)).toBeNull();
  });

  it("returns null when prices cannot be read, but passes on faults of the program", async () => {
    const away = () => Promise.reject(new Unavailable("database", "lock timeout"));
    expect(await findFiatPrice(away, ether, dollar)).toBeNull();
    const fault = () => Promise.reject(new TypeError("fault"));
    await expect(findFiatPrice(fault, ether, dollar)).rejects.toThrow("fault");
  });
});

describe("worthInFiat", () => {
  it.each([
    [1n, 0n],
    [5_000_000_000_000n - 1n, 0n],
    [5_000_000_000_000n, 1n],
    [10n ** 18n, 200_000n],
  ])("rounds %d wei at 2000 dollars down to %d cents", (wei, cents) => {
    const price = { currency: dollar, rate: { units: 2_000n, exp: 0 } };
    const currency = testCurrencies.get(ether);
    expect(worthInFiat(wei, currency, price, testCurrencies)).toBe(cents);
  });
});
