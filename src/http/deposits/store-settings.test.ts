import { beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { depositApi, makeDeposit } from "../../../test/support/deposit-api.ts";
import {
  announceChain,
  arrangeWallet,
  depositWorld,
  fillPool,
  ownerOf,
  payment,
  rateOf,
  usd,
  type Wallet,
} from "../../../test/support/deposit-world.ts";
import { faults } from "../../../test/support/faults.ts";
import { paymentPages } from "../../../test/support/payment-pages.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";

/*
 * An account's defaults for requests that do not set them: what counts as paid, the time limit and the callback URL. An ether costs
 * 2000 dollars, and its smallest payment of 0.00001 is worth 2 cents.
 */

const database = useDatabase();
const world = depositWorld(database);
const api = depositApi(world);
const pages = paymentPages(world);
let shop: Wallet;

beforeEach(async () => {
  world.rates.set("1002 840", rateOf("2000"));
  shop = await arrangeWallet(world, { type: 1, currency: usd });
  await fillPool(world, "evm", "", 3);
});

const patch = (attributes: JsonObject, as = ownerOf(shop.accountId)) =>
  api.ask("PATCH", "/store-settings/", {
    as,
    body: { data: { type: "store-settings", attributes } },
  });

/** The state of a deposit of 100 dollars after this payment is confirmed, and what its page still asks for. */
async function stateAfter(ether: string, attributes: JsonObject = {}): Promise<string> {
  const given = { target_amount_requested: "100", ...attributes };
  const deposit = await makeDeposit(api, world, shop, given, "1002");
  const chain = await announceChain(world, "ETH");
  await chain.append([payment({ deposit, amount: ether })]);
  await chain.grow(3);
  const { one } = await api.ask("GET", `/deposit/${deposit.id}/`, { as: ownerOf(shop.accountId) });
  const { payment: asked } = await pages.stateOf(deposit);
  const { state } = one.attributes as { readonly state: string };
  return `${state} ${asked?.missing?.replace(/\.?0+$/, "")}`;
}

describe("a deposit whose request sets no inaccuracy", () => {
  it.each([
    ["0.05", "paid 0"],
    ["0.04999999", "paid 0"],
    ["0.04999", "partially_paid 0.00001"],
    ["0.049", "partially_paid 0.001"],
    ["0.0505", "paid 0"],
    ["0.05051", "on_hold 0"],
  ])(
    "is judged by the built-in tolerances: %s ether for 100 dollars is %s",
    async (ether, state) => {
      expect(await stateAfter(ether)).toBe(state);
    },
  );

  it("is judged by the account's percentages and amounts, of which the larger applies", async () => {
    await patch({
      underpayment_percent: "2",
      overpayment_percent: "0",
      overpayment_amount: "3",
      tolerance_currency: "840",
    });
    expect(await stateAfter("0.049")).toBe("paid 0");
    expect(await stateAfter("0.0489")).toBe("partially_paid 0.0011");
    expect(await stateAfter("0.0515")).toBe("paid 0");
    expect(await stateAfter("0.05151")).toBe("on_hold 0");
  });

  it("ignores an amount in another currency than the wallet's", async () => {
    await patch({ underpayment_amount: "5", tolerance_currency: "978" });
    expect(await stateAfter("0.049")).toBe("partially_paid 0.001");
  });

  it("gets the account's time limit and callback URL", async () => {
    await patch({ time_limit: 900, callback_url: "https://shop.example/callbacks" });
    const { id } = await makeDeposit(api, world, shop, {}, "1002");
    const { one } = await api.ask("GET", `/deposit/${id}/`, { as: ownerOf(shop.accountId) });
    expect(one.attributes).toMatchObject({
      time_limit: 900,
      callback_url: "https://shop.example/callbacks",
      inaccuracy: null,
    });
  });
});

describe("a deposit whose request sets its own terms", () => {
  it("is judged by its inaccuracy alone", async () => {
    await patch({ underpayment_percent: "5" });
    expect(await stateAfter("0.0499", { inaccuracy: "0" })).toBe("partially_paid 0.0001");
    expect(await stateAfter("0.0501", { inaccuracy: "0" })).toBe("on_hold 0");
    expect(await stateAfter("0.0499", { inaccuracy: "1" })).toBe("paid 0");
  });

  it("is never asked for less than the smallest payment", async () => {
    expect(await stateAfter("0.049999", { inaccuracy: "0" })).toBe("partially_paid 0.00001");
  });

  it("keeps its time limit and callback URL", async () => {
    await patch({ time_limit: 900, callback_url: "https://shop.example/callbacks" });
    const own = { time_limit: 60, callback_url: "https://shop.example/own" };
    const { id } = await makeDeposit(api, world, shop, own, "1002");
    const { one } = await api.ask("GET", `/deposit/${id}/`, { as: ownerOf(shop.accountId) });
    expect(one.attributes).toMatchObject(own);
  });
});

const unset = {
  shop_name: null,
  help_email: null,
  logo: null,
  accent_color: null,
  accent_color_dark: null,
  frame_ancestors: [],
  shows_order_reference: true,
  shows_receipt: true,
  receipt_note: null,
  payment_page_redirect_url: null,
  payment_page_button_text: null,
  underpayment_percent: null,
  underpayment_amount: null,
  overpayment_percent: null,
  overpayment_amount: null,
  tolerance_currency: null,
  time_limit: null,
  callback_url: null,
  payout_batch_seconds: 0,
  fiat_currency: "840",
};

describe("/store-settings/", () => {
  it("changes only what is given, clears with null, and records it in the audit log", async () => {
    const first = { underpayment_percent: "0.5", time_limit: 600 };
    expect((await patch(first)).one.attributes).toMatchObject(first);
    const second = await patch({ time_limit: null, overpayment_percent: "2" });
    const settings = {
      ...unset,
      underpayment_percent: "0.5",
      overpayment_percent: "2",
    };
    expect(second.one.attributes).toEqual(settings);
    const read = await api.ask("GET", "/store-settings/", { as: ownerOf(shop.accountId) });
    expect(read.one.attributes).toEqual(settings);
    const entries = await database.sql<{ summary: unknown }>(
      "select summary from audit_entry where account_id = $1 and action = 'store_settings.changed' order by seq",
      [shop.accountId],
    );
    expect(entries[1]?.summary).toEqual({
      time_limit: null,
      time_limit_before: "600",
      overpayment_percent: "2",
      overpayment_percent_before: null,
    });
  });

  it.each([
    [{ underpayment_percent: "50.1" }, "underpayment_percent"],
    [{ overpayment_percent: "0.00001" }, "overpayment_percent"],
    [{ overpayment_amount: "1" }, "tolerance_currency"],
    [{ overpayment_amount: "1.001", tolerance_currency: "840" }, "overpayment_amount"],
    [{ tolerance_currency: "7" }, "tolerance_currency"],
    [{ time_limit: 58 }, "time_limit"],
    [{ payout_batch_seconds: 3601 }, "payout_batch_seconds"],
    [{ payout_batch_seconds: -1 }, "payout_batch_seconds"],
    [{ callback_url: "http://10.0.0.1/" }, "callback_url"],
    [{ fiat_currency: "1000" }, "fiat_currency"],
    [{ fiat_currency: "EUR" }, "fiat_currency"],
  ])("rejects %j and changes nothing", async (attributes, field) => {
    const refused = await patch(attributes);
    expect(faults(refused)).toEqual(["400", `1007 /data/attributes/${field}`]);
    const { one } = await api.ask("GET", "/store-settings/", { as: ownerOf(shop.accountId) });
    expect(one.attributes).toEqual(unset);
  });

  it("takes any fiat currency, and null for US dollars", async () => {
    expect((await patch({ fiat_currency: "978" })).one.attributes["fiat_currency"]).toBe("978");
    expect((await patch({ fiat_currency: null })).one.attributes["fiat_currency"]).toBe("840");
  });

  it("is changed only by Owners and Admins who see all wallets", async () => {
    const narrow = {
      ...ownerOf(shop.accountId),
      memberId: "7",
      role: "admin" as const,
      wallets: new Map([[shop.walletId, { mayPay: true }]]),
    };
    expect((await patch({ callback_url: "https://else.example/" }, narrow)).status).toBe(403);
    const { one } = await api.ask("GET", "/store-settings/", { as: narrow });
    expect(one.attributes).toEqual(unset);
  });

  it("is for Owners and Admins", async () => {
    const clerk = { ...ownerOf(shop.accountId), memberId: "7", role: "withdrawals" as const };
    expect((await patch({ time_limit: 900 }, clerk)).status).toBe(403);
    expect((await api.ask("GET", "/store-settings/", { as: clerk })).status).toBe(403);
  });
});
