import { describe, expect, it } from "vitest";
import { builtInCurrencies } from "./built-in-currencies.ts";
import { mayIncludeFee } from "./chains.ts";

describe("mayIncludeFee", () => {
  it("refuses exactly the coins that the interface lists", () => {
    const coins = builtInCurrencies.filter(({ kind }) => kind === "coin");
    const refused = coins
      .filter((coin) => !mayIncludeFee(coin))
      .map(({ alpha, alias }) => [alpha, alias]);
    // The interface calls BNB-BSC by its alias, BNB.
    const names = refused.map(([alpha, alias]) => (alpha === "BNB-BSC" ? alias : alpha)).sort();
    const listed = "ADA, ARB, AVAX, BNB, ETH, ETH-BASE, MATIC, OPT, TRX, XLM, XMR, XRP";
    expect(names.join(", ")).toBe(listed);
  });

  it("refuses every token", () => {
    const tokens = builtInCurrencies.filter(({ kind }) => kind === "token");
    expect(tokens.filter(mayIncludeFee)).toEqual([]);
  });
});
