import { describe, expect, it } from "vitest";
import type { Wallet } from "../../../../../client/src/api-types.gen.ts";
import { walletChoices, walletCurrencyChoices } from "./wallet-choices.ts";

const wallet = (id: string, label: string, currency: string): Wallet =>
  ({
    id,
    attributes: { label },
    relationships: { currency: { data: { type: "currency", id: currency } } },
  }) as unknown as Wallet;

const wallets = [
  wallet("1", "Shop", "1000"),
  wallet("2", "Shop", "1002"),
  wallet("3", "Tips", "1002"),
];

describe("walletChoices", () => {
  it("adds the ID where two labels are equal", () => {
    expect(walletChoices(wallets)).toEqual([
      { value: "1", label: "Shop, ID 1" },
      { value: "2", label: "Shop, ID 2" },
      { value: "3", label: "Tips" },
    ]);
  });
});

describe("walletCurrencyChoices", () => {
  it("needs no ID where the currency tells two wallets apart", () => {
    expect(walletCurrencyChoices(wallets, new Map()).map(({ label }) => label)).toEqual([
      "Shop (1000)",
      "Shop (1002)",
      "Tips (1002)",
    ]);
  });
});
