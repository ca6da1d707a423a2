import { describe, expect, it } from "vitest";
import { useDatabase } from "../../test/support/database.ts";
import { arrangeWallet, depositWorld } from "../../test/support/deposit-world.ts";
import { manualClock } from "../../test/support/manual-clock.ts";
import { present } from "../platform/kernel/assert.ts";
import type { CurrencyId } from "../platform/kernel/money.ts";
import { builtInCurrencies } from "./built-in-currencies.ts";
import type { Currency } from "./currency.ts";
import { CurrencyChanged, recordCurrencies } from "./record-currencies.ts";
import { createRegistry } from "./registry.ts";

const database = useDatabase();

const model = present(
  builtInCurrencies.find(({ id }) => id === "2015"),
  "a token",
);

function token(id: string, changes: Partial<Currency> = {}): Currency {
  return { ...model, id: id as CurrencyId, alpha: `OWN${id}`, exp: 6, ...changes };
}

function keep(...own: readonly Currency[]): Promise<void> {
  const context = { db: database.db, clock: manualClock() };
  return recordCurrencies(context, createRegistry([...builtInCurrencies, ...own]));
}

describe("recordCurrencies", () => {
  it("lets an unused currency change or disappear", async () => {
    await keep(token("9001"));
    await expect(keep(token("9001", { exp: 18 }))).resolves.toBeUndefined();
    await expect(keep()).resolves.toBeUndefined();
    await expect(keep(token("9001"))).resolves.toBeUndefined();
  });

  it("rejects a configuration that lacks a currency in use or changes its decimals", async () => {
    await keep(token("9002"));
    await arrangeWallet(depositWorld(database), { currency: "9002" as CurrencyId });
    await keep(token("9002", { confirmationBlocks: 7, alpha: "RENAMED" }));
    await expect(keep()).rejects.toThrow(CurrencyChanged);
    await expect(keep(token("9002", { exp: 18 }))).rejects.toThrow(/18 decimals .* have 6/);
    await expect(keep(token("9002", { chain: "BNB-BSC" }))).rejects.toThrow(/in use on ETH/);
    await keep(token("9002"));
  });
});
