import { describe, expect, it } from "vitest";
import { present } from "../platform/kernel/assert.ts";
import { builtInCurrencies } from "./built-in-currencies.ts";
import { currencyResource } from "./currency-resource.ts";
import { createRegistry } from "./registry.ts";

const registry = createRegistry(builtInCurrencies);
const resource = (alpha: string) => currencyResource(present(registry.byAlpha(alpha), alpha));

describe("currencyResource", () => {
  it("shows a token's amounts with all digits, and its parent coin", () => {
    expect(resource("USDT-ETH")).toEqual({
      type: "currency",
      id: "2015",
      attributes: {
        iso: 2015,
        name: "Tether USD",
        alpha: "USDT-ETH",
        alias: null,
        exp: 6,
        confirmation_blocks: 12,
        minimal_transfer_amount: "0.010000",
        block_delay: 12,
        blockchain_name: "Ethereum",
        tags: ["stablecoin", "erc-20"],
      },
      relationships: { parent: { data: { type: "currency", id: "1002" } } },
    });
  });

  it("shows no parent for a coin and no blockchain for fiat", () => {
    expect(resource("BNB-BSC")).toMatchObject({
      attributes: { alias: "BNB", blockchain_name: "BNB Smart Chain" },
      relationships: { parent: { data: null } },
    });
    expect(resource("USD")).toMatchObject({
      id: "840",
      attributes: { iso: 840, exp: 2, blockchain_name: null, minimal_transfer_amount: "0.01" },
    });
  });
});
