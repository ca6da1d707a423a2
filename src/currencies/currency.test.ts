import { describe, expect, it } from "vitest";
import { InvariantViolation } from "../platform/kernel/assert.ts";
import { builtInCurrencies } from "./built-in-currencies.ts";
import { coinAmong, contractAmong, listedTokens } from "./currency.ts";

/* One chain's currencies; only the first token has a contract in this deployment. */

const contract = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const [ether, configured, unconfigured] = ["ETH", "USDC-ETH", "USDT-ETH"].map(
  (alpha) => builtInCurrencies.find((currency) => currency.alpha === alpha)!,
);
const token = { contract, locator: contract.toLowerCase() };
const currencies = [ether!, { ...configured!, token }, { ...unconfigured!, token: null }];

describe("a chain's currencies", () => {
  it("name the coin", () => {
    expect(coinAmong(currencies)).toBe(ether!.id);
  });

  it("list the tokens with a contract by its comparable spelling", () => {
    expect([...listedTokens(currencies)]).toEqual([[token.locator, configured!.id]]);
  });

  it("give a token's contract, and null for the coin", () => {
    expect(contractAmong(currencies, configured!.id)).toBe(token.locator);
    expect(contractAmong(currencies, ether!.id)).toBeNull();
  });

  it.each([
    ["a token without a contract", unconfigured!.id],
    ["a currency of another chain", builtInCurrencies.find(({ alpha }) => alpha === "BTC")!.id],
  ])("never give %s the place of the coin", (_, id) => {
    expect(() => contractAmong(currencies, id)).toThrow(InvariantViolation);
  });

  it("always include a coin", () => {
    expect(() => coinAmong(currencies.slice(1))).toThrow(InvariantViolation);
  });
});
