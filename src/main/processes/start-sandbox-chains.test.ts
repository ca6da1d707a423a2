import { describe, expect, it } from "vitest";
import { selectChains } from "./start-sandbox-chains.ts";

describe("selectChains", () => {
  it("selects a few chains by default", () => {
    expect([...selectChains(null)].sort()).toEqual(["BTC", "ETH", "LTC", "TRX"]);
  });

  it("selects every chain that the program can follow with `all`", () => {
    const evm = ["ARB", "AVAX", "BNB-BSC", "ETH", "ETH-BASE", "MATIC", "OPT"];
    expect(selectChains("All")).toEqual(expect.arrayContaining([...evm, "BTC", "LTC", "TRX"]));
    expect(selectChains("all")).toContain("XMR");
  });

  it("selects the chains of a list once each, in any case, also those that cannot be followed yet", () => {
    expect(selectChains("eth, XMR,ETH")).toEqual(["ETH", "XMR"]);
  });

  it.each(["NOPE", "ETH,", "USDT-ETH", "all,ETH"])("refuses %j, which names no chain", (text) => {
    expect(() => selectChains(text)).toThrow(/^SLUICE_CHAINS: there is no chain /);
  });
});
