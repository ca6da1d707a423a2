import { describe, expect, it } from "vitest";
import type { Currency, Wallet } from "../../../../../client/src/api-types.gen.ts";
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

const currency = (id: string, alpha: string): [string, Currency] => [
  id,
  { id, attributes: { alpha } } as unknown as Currency,
];
const currencies = new Map([currency("1000", "BTC"), currency("1002", "ETH")]);

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
    expect(walletCurrencyChoices(wallets, currencies).map(({ label }) => label)).toEqual([
      "Shop (BTC)",
      "Shop (ETH)",
      "Tips (ETH)",
    ]);
  });

  it("names no currency before currencies are loaded", () => {
    const labels = walletCurrencyChoices(wallets, new Map()).map(({ label }) => label);
    expect(labels).toEqual(["Shop, ID 1", "Shop, ID 2", "Tips"]);
  });
});
