import { beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import {
  arrangeWallet,
  depositWorld,
  eth,
  ownerOf,
  units,
  type Wallet,
} from "../../../test/support/deposit-world.ts";
import { faults } from "../../../test/support/faults.ts";
import { payoutApi } from "../../../test/support/payout-api.ts";
import { fund } from "../../../test/support/payout-world.ts";
import { newRequirements } from "../../../test/support/whole-payouts.ts";
import type { Principal } from "../../accounts/principal.ts";
import { formatDecimal } from "../../platform/kernel/decimal.ts";
import type { JsonValue } from "../../platform/kernel/json.ts";

/* What a payout would need, compared with what its creation then does, over the real server and database. */

const database = useDatabase();
const world = depositWorld(database);
const { api, make } = payoutApi(world);
let wallet: Wallet;
beforeEach(async () => {
  wallet = await arrangeWallet(world);
  await fund(world, wallet, "10");
});

function check(amount: JsonValue, as: Principal = ownerOf(wallet.accountId), id?: JsonValue) {
  return api.ask("POST", "/payout/requirements/", {
    as,
    body: newRequirements(id ?? wallet.walletId, amount),
  });
}

describe("POST /payout/requirements/", () => {
  it("says that no approval is needed without a limit, and writes nothing", async () => {
    const { status, one } = await check("1");
    expect(status).toBe(200);
    expect(one.type).toBe("payout-requirements");
    expect(one.attributes).toEqual({
      needs_approval: false,
      needs_travel_rule: true,
      travel_rule_from: null,
      amount_after_commission: "1.000000000000000000",
    });
    expect(
      await database.sql("select from payout where wallet_id = $1", [wallet.walletId]),
    ).toEqual([]);
  });

  it("counts the payouts of the day, as their creation does", async () => {
    await database.sql(
      "insert into payout_limit (account_id, currency, span, units) values ($1, '1002', 'day', $2)",
      [wallet.accountId, 3n * 10n ** 17n],
    );
    const needs = async (amount: string) => (await check(amount)).one.attributes["needs_approval"];
    expect([await needs("0.3"), await needs("0.300000000000000001")]).toEqual([false, true]);
    expect((await make(wallet, { attributes: { amount: "0.2" } })).status).toBe(2);
    expect([await needs("0.1"), await needs("0.2")]).toEqual([false, true]);
    expect((await make(wallet, { attributes: { amount: "0.2" } })).status).toBe(1);
  });

  it("says that every payout of the role Payouts with approval needs it", async () => {
    const as: Principal = { ...ownerOf(wallet.accountId), role: "withdrawals_with_approval" };
    expect((await check("0.1", as)).one.attributes["needs_approval"]).toBe(true);
  });

  it("says what a budget pays with commission, which its creation then accepts", async () => {
    await database.sql(
      `insert into commission_terms (account_id, currency, direction, rate_ppm, fixed_units, minimum_units)
       values ($1, '1002', 'payout', 10000, 5, 0)`,
      [wallet.accountId],
    );
    const fee = units("0.0000000000000002", eth);
    const budget = formatDecimal(units("10", eth) - fee, 18);
    const amount = (await check(budget)).one.attributes["amount_after_commission"] as string;
    expect(amount).toBe("9.900990099009900787");
    const more = (text: string) => text.replace(/7$/, "8");
    const attributes = { fee_amount: "0.0000000000000002" };
    await expect(
      make(wallet, { attributes: { ...attributes, amount: more(amount) } }),
    ).rejects.toThrow("4008");
    expect((await make(wallet, { attributes: { ...attributes, amount } })).status).toBe(2);
  });

  it("refuses amounts that are no payout, and wallets of others like unknown ones", async () => {
    const invalid = ["400", "1007 /data/attributes/amount"];
    for (const amount of ["0", "-1", "0.0000000000000000001"])
      expect(faults(await check(amount))).toEqual(invalid);
    const foreign = await arrangeWallet(world);
    const noWallet = ["400", "1007 /data/relationships/wallet"];
    const own = ownerOf(wallet.accountId);
    expect(faults(await check("1", own, foreign.walletId))).toEqual(noWallet);
    expect(faults(await check("1", own, "99999999"))).toEqual(noWallet);
  });
});
