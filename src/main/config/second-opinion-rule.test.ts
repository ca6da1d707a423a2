import { describe, expect, it } from "vitest";
import { builtInCurrencies } from "../../currencies/built-in-currencies.ts";
import { createRegistry } from "../../currencies/registry.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { secondOpinionRule } from "./second-opinion-rule.ts";

const currencies = createRegistry(builtInCurrencies);
const eth = "1002" as CurrencyId;
const usdt = "2015" as CurrencyId;
const nodes = ["http://one:8545", "http://two:8545"];

function ruleOf(config: { readonly nodes: string[]; readonly second_opinion_above?: string }) {
  const rule = secondOpinionRule({ chains: { ETH: config } }, currencies);
  return (currency: CurrencyId | null, units: bigint, chain = "ETH") =>
    rule({ chain, currency, units });
}

describe("second opinions", () => {
  it("are required for every payment on a chain with two nodes", () => {
    const needs = ruleOf({ nodes });
    expect(needs(eth, 1n)).toBe(true);
    expect(needs(usdt, 1n)).toBe(true);
    expect(needs(eth, 1n, "BTC")).toBe(false);
  });

  it("are not required on a chain with one node", () => {
    expect(ruleOf({ nodes: nodes.slice(0, 1) })(eth, 10n ** 30n)).toBe(false);
  });

  it("are not required for tokens that the deployment does not list", () => {
    expect(ruleOf({ nodes })(null, 10n ** 30n)).toBe(false);
  });

  it("are required above the bound, counted in whole coins or tokens and rounded down", () => {
    const needs = ruleOf({ nodes, second_opinion_above: "1.00000055" });
    expect(needs(eth, 1_000_000_550_000_000_000n)).toBe(false);
    expect(needs(eth, 1_000_000_550_000_000_001n)).toBe(true);
    expect(needs(usdt, 1_000_000n)).toBe(false);
    expect(needs(usdt, 1_000_001n)).toBe(true);
  });
});
