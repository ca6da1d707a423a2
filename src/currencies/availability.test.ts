import { describe, expect, it } from "vitest";
import { useDatabase } from "../../test/support/database.ts";
import { present } from "../platform/kernel/assert.ts";
import { saveAccountCurrencyBlock, saveCurrencyState } from "./currency-state.store.ts";
import { type CurrencyState, decideAvailability } from "./decide-availability.ts";
import { deploymentCurrencies } from "./deployment-currencies.ts";
import { createFindAvailability } from "./find-availability.ts";
import { createRegistry } from "./registry.ts";

const { currencies } = deploymentCurrencies({
  mainnetChains: new Set(["ETH", "TRX"]),
  tokens: [],
  overrides: [],
});
const registry = createRegistry(currencies);
const currency = (alpha: string) => present(registry.byAlpha(alpha), alpha);
const chains = { enabled: new Set(["ETH", "MATIC"]), disabled: new Set(["LTC"]) };

const inUse = { isDisabled: false, isUnavailable: false, isUnpaid: false };

describe("currency availability", () => {
  it.each<[string, Partial<CurrencyState>, boolean, string]>([
    ["ETH", {}, false, "available"],
    ["USDT-ETH", {}, false, "available"],
    ["USD", {}, false, "available"],
    ["BTC", {}, false, "currencyUnavailable"],
    ["USDT-MATIC", {}, false, "currencyUnavailable"],
    ["LTC", {}, false, "currencyDisabled"],
    ["LTC", { isUnavailable: true }, true, "currencyDisabled"],
    ["ETH", { isDisabled: true }, false, "currencyDisabled"],
    ["ETH", { isUnavailable: true }, false, "currencyUnavailable"],
    ["ETH", {}, true, "currencyUnavailable"],
    ["USDT-ETH", { isUnpaid: true }, false, "tokenNotPaidFor"],
    ["USDT-ETH", { isUnpaid: true }, true, "currencyUnavailable"],
    ["BTC", { isDisabled: true, isUnavailable: true, isUnpaid: true }, true, "currencyDisabled"],
  ])(
    "reports %s with %j, blocked for the account: %s, as %s",
    (alpha, state, accountBlocked, expected) => {
      const facts = { chains, state: { ...inUse, ...state }, accountBlocked };
      expect(decideAvailability(currency(alpha), facts)).toBe(expected);
    },
  );

  const { db, sql } = useDatabase();

  it("applies an operator's flag at once, and a block only to its account", async () => {
    const [one, other] = (
      await sql<{ id: string }>(
        `insert into account (name, webhook_secret_sealed, created_at)
       select 'a', '', '2026-01-01Z' from generate_series(1, 2) returning id`,
      )
    ).map((row) => row.id);
    const findAvailability = createFindAvailability(chains);
    const requested = [currency("USDT-ETH"), currency("ETH"), currency("USD")];
    const found = (accountId: string) => findAvailability(db, accountId, requested);

    expect(await found(one!)).toEqual(["available", "available", "available"]);
    await saveCurrencyState(db, currency("USDT-ETH").id, {
      ...inUse,
      isUnpaid: true,
    });
    await saveCurrencyState(db, currency("USD").id, { ...inUse, isDisabled: true });
    await saveAccountCurrencyBlock(db, one!, currency("ETH").id, true);
    await saveAccountCurrencyBlock(db, one!, currency("ETH").id, true);
    expect(await found(one!)).toEqual([
      "tokenNotPaidFor",
      "currencyUnavailable",
      "currencyDisabled",
    ]);
    expect(await found(other!)).toEqual(["tokenNotPaidFor", "available", "currencyDisabled"]);

    await saveCurrencyState(db, currency("USDT-ETH").id, inUse);
    await saveAccountCurrencyBlock(db, one!, currency("ETH").id, false);
    expect(await found(one!)).toEqual(["available", "available", "currencyDisabled"]);
  });
});
