import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { announceChain, fillPool, payment } from "../../../test/support/deposit-world.ts";
import { describeResponse, useWholeApi } from "../../../test/support/whole-api.ts";
import { payAll } from "../../../test/support/whole-payments.ts";
import {
  arrangePayoutOf,
  fundTenant,
  newInternalPayout,
  newPayout,
} from "../../../test/support/whole-payouts.ts";
import {
  arrangeDepositOf,
  arrangeTenant,
  newDeposit,
  setPrices,
  type Tenant,
} from "../../../test/support/whole-tenant.ts";
import { readDepositRow } from "../../deposits/deposit-list.store.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";

/*
 * What payments and payouts were worth when they happened, over HTTP: the transfers and the monthly statements of two accounts, while
 * prices and settings change. An ether costs 2000 dollars at first, a euro 1.25.
 */

const database = useDatabase();
const api = useWholeApi(database);
let shop: Tenant;

beforeEach(async () => {
  await database.sql("delete from rate_quote");
  await setPrices(api, { ETH: 2000, EUR: 1.25 });
  api.clock.advance(2);
  await fillPool(api.world(), "evm", "", 20);
  shop = await arrangeTenant(api);
});

/** Sets the price of an ether; null: it has none. */
async function setEther(price: number | null): Promise<void> {
  await database.sql("delete from rate_quote where symbol = 'ETH'");
  if (price !== null) await setPrices(api, { ETH: price });
  // Processes reuse prices for a second.
  api.clock.advance(2);
}

async function valueIn(fiat: string, tenant = shop): Promise<void> {
  const body = { data: { type: "store-settings", attributes: { fiat_currency: fiat } } };
  const path = "/store-settings/";
  const answer = await api.ask({ method: "PATCH", path, as: tenant.token, body });
  expect(describeResponse(answer)).toBe("200");
}

/** Pays a new deposit in ether and lets it confirm; returns its id. */
async function pay(
  amount: string,
  wallet: string,
  terms: JsonObject = {},
  tenant = shop,
): Promise<string> {
  const id = await arrangeDepositOf(api, tenant.token, newDeposit(wallet, terms, "1002"));
  await payAll(api, "ETH", [{ accountId: tenant.accountId, id, amount }]);
  return id;
}

/** The value of the one transfer of a deposit (1), payout (2) or top-up (14): amount, currency and rate. */
async function valueOf(id: string, type: number, tenant = shop): Promise<unknown> {
  const path = `/transfer/?filter[op_id]=${id}&filter[op_type]=${type}`;
  const { resources } = await api.ask({ method: "GET", path, as: tenant.token });
  expect(resources).toHaveLength(1);
  const { fiat_amount, fiat_currency, fiat_rate } = present(resources[0], "one").attributes;
  return [fiat_amount, fiat_currency, fiat_rate === null ? null : Number(fiat_rate)];
}

/** The fiat columns of the current month of a wallet, without zeros; fees have eight digits. */
async function statementOf(wallet: string, tenant = shop): Promise<unknown> {
  const path = `/monthly-statement/?filter[wallet]=${wallet}`;
  const { resources } = await api.ask({ method: "GET", path, as: tenant.token });
  const { attributes } = present(resources[0], "the current month");
  return Object.fromEntries(
    Object.entries(attributes).filter(
      ([name, value]) =>
        (name.endsWith("_fiat") &&
          Object.values(value as object).some((text) => !/^0\.0+$/.test(text as string))) ||
        (name === "unvalued" && value !== 0),
    ),
  );
}

afterEach(() => {
  expect(api.failures()).toEqual([]);
});

const nothing = [null, null, null];

describe("the fiat value of a payment", () => {
  it("is the bid when it was seen, rounded down, and stays when the price changes", async () => {
    const { ether } = shop.wallets;
    const first = await pay("1.500333", ether);
    await setEther(3000);
    const second = await pay("1", ether);
    expect(await valueOf(first, 1)).toEqual(["3000.66", "840", 2000]);
    expect(await valueOf(second, 1)).toEqual(["3000.00", "840", 3000]);
    expect(await statementOf(ether)).toEqual({ payments_fiat: { USD: "6000.66" } });
  });

  it("is in the fiat currency of its account", async () => {
    const other = await arrangeTenant(api);
    await valueIn("978", other);
    const { ether } = other.wallets;
    const ours = await pay("1.5", shop.wallets.ether);
    const theirs = await pay("1.5", ether, {}, other);
    expect(await valueOf(ours, 1)).toEqual(["3000.00", "840", 2000]);
    expect(await valueOf(theirs, 1, other)).toEqual(["2400.00", "978", 1600]);
    expect(await statementOf(ether, other)).toEqual({ payments_fiat: { EUR: "2400.00" } });
    expect(await statementOf(shop.wallets.ether)).toEqual({ payments_fiat: { USD: "3000.00" } });
  });

  it("is empty without a fresh price, which delays nothing", async () => {
    await setEther(null);
    const { ether } = shop.wallets;
    const id = await pay("1.5", ether);
    const path = `/deposit/${id}/`;
    const { one } = await api.ask({ method: "GET", path, as: shop.token });
    expect(one.attributes["target_paid"]).toBe("1.500000000000000000");
    await setEther(2000);
    await pay("1", ether);
    expect(await valueOf(id, 1)).toEqual(nothing);
    expect(await statementOf(ether)).toEqual({ payments_fiat: { USD: "2000.00" }, unvalued: 1 });
  });

  it("keeps its currency when the account chooses another one", async () => {
    const { ether } = shop.wallets;
    const before = await pay("1", ether);
    await valueIn("978");
    const after = await pay("1", ether);
    expect(await valueOf(before, 1)).toEqual(["2000.00", "840", 2000]);
    expect(await valueOf(after, 1)).toEqual(["1600.00", "978", 1600]);
    expect(await statementOf(ether)).toEqual({
      payments_fiat: { USD: "2000.00", EUR: "1600.00" },
    });
  });

  it("is what a wallet of that currency was credited, at the locked rate", async () => {
    const { merchant } = shop.wallets;
    const terms = { target_amount_requested: "100" };
    const id = await arrangeDepositOf(api, shop.token, newDeposit(merchant, terms, "1002"));
    await setEther(1000);
    await payAll(api, "ETH", [{ accountId: shop.accountId, id, amount: "0.05" }]);
    expect(await valueOf(id, 1)).toEqual(["100.00", "840", 2000]);
    expect(await statementOf(merchant)).toEqual({ payments_fiat: { USD: "100.00" } });
  });

  it("stays when its block is orphaned, and leaves the month in which that happens with the payment", async () => {
    const { ether } = shop.wallets;
    const id = await arrangeDepositOf(api, shop.token, newDeposit(ether, {}, "1002"));
    const deposit = present(await readDepositRow(database.db, shop.accountId, id), "the deposit");
    const chain = await announceChain(api.world(), "ETH");
    const hit = payment({ deposit, amount: "1.500333", txid: "0xreorg" });
    await chain.see([hit]);
    await setEther(3000);
    await chain.append([hit]);
    await chain.grow(3);
    expect(await statementOf(ether)).toEqual({ payments_fiat: { USD: "3000.66" } });
    await database.sql(
      `update posting set created_at = (created_at at time zone 'UTC' - interval '40 days') at time zone 'UTC' where account_id = $1`,
      [shop.accountId],
    );
    for (let blocks = 0; blocks < 4; blocks += 1) await chain.orphan();
    expect(await statementOf(ether)).toEqual({ payments_fiat: { USD: "-3000.66" } });
    await setEther(4000);
    await chain.append([hit]);
    await chain.grow(3);
    expect(await valueOf(id, 1)).toEqual(["3000.66", "840", 2000]);
    expect(await statementOf(ether)).toEqual({});
  });

  it("is not part of callbacks, which keep to the interface's transfer", async () => {
    await pay("1", shop.wallets.ether);
    const { resources } = await api.ask({ method: "GET", path: "/event/", as: shop.token });
    const bodies = JSON.stringify(resources);
    expect(bodies).toContain("amount_cleared");
    expect(bodies).not.toContain("fiat");
  });
});

describe("the fiat value of a payout", () => {
  it("is the bid when it was created; its fees are valued with it", async () => {
    await fundTenant(api, shop);
    const { ether, merchant } = shop.wallets;
    await database.sql(
      `insert into commission_terms (account_id, currency, direction, rate_ppm, fixed_units, minimum_units)
       values ($1::bigint, '1002', 'payout', 5000, 0, 0)`,
      [shop.accountId],
    );
    const order = newInternalPayout(ether, merchant, "1002", { amount: "0.5" });
    const id = await arrangePayoutOf(api, shop.token, order);
    await setEther(3000);
    expect(await valueOf(id, 2)).toEqual(["1000.00", "840", 2000]);
    expect(await statementOf(ether)).toEqual({
      payouts_fiat: { USD: "1000.00" },
      fees_fiat: { USD: "5.00000000" },
    });
    expect(await valueOf(id, 14)).toEqual(["1000.00", "840", 1]);
    expect(await statementOf(merchant)).toEqual({ transfers_in_fiat: { USD: "1000.00" } });
  });

  it("is fixed when it is approved, if it needs approval", async () => {
    await fundTenant(api, shop);
    const clerk = await api.arrangeMember({
      accountId: shop.accountId,
      role: "withdrawals_with_approval",
    });
    const token = await api.tokenOf(clerk);
    const id = await arrangePayoutOf(api, token, newPayout(shop.wallets.ether, { amount: "0.5" }));
    expect(await valueOf(id, 2)).toEqual(nothing);
    await setEther(3000);
    const path = `/payout/${id}/approve/`;
    const answer = await api.ask({ method: "POST", path, as: shop.token });
    expect(describeResponse(answer)).toBe("200");
    await setEther(4000);
    expect(await valueOf(id, 2)).toEqual(["1500.00", "840", 3000]);
  });

  it("is empty without a fresh price, which refuses nothing", async () => {
    await fundTenant(api, shop);
    await setEther(null);
    const id = await arrangePayoutOf(
      api,
      shop.token,
      newPayout(shop.wallets.ether, { amount: "0.5" }),
    );
    expect(await valueOf(id, 2)).toEqual(nothing);
  });
});
