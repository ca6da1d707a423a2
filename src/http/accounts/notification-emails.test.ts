import { beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { fillPool } from "../../../test/support/deposit-world.ts";
import { useMailSite } from "../../../test/support/mail-site.ts";
import { describeResponse, useWholeApi } from "../../../test/support/whole-api.ts";
import { payAll } from "../../../test/support/whole-payments.ts";
import { arrangePayoutOf, fundTenant, newPayout } from "../../../test/support/whole-payouts.ts";
import {
  arrangeDepositOf,
  arrangeTenant,
  newDeposit,
  setPrices,
  type Tenant,
} from "../../../test/support/whole-tenant.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";

/*
 * The subjects of notification emails, from a request over HTTP and a payment on a chain to a real SMTP server: what the merchant called
 * the order, what it is worth in the account's fiat currency, and who gets a payout. The reader's language is German.
 */

const database = useDatabase();
const api = useWholeApi(database);
const mail = useMailSite(database, api.clock);
const address = "inbox@shop.example";
let shop: Tenant;

beforeEach(async () => {
  await database.sql("delete from rate_quote");
  await setPrices(api, { ETH: 2000, EUR: 1.25 });
  api.clock.advance(2);
  await fillPool(api.world(), "evm", "", 20);
  shop = await arrangeTenant(api);
  await database.sql(
    `insert into member_contact (account_id, member_id, email, topics, unsubscribe_key, language)
     values ($1, $2, $3, '{paid,on_hold,approval_waiting}', $4, 'de')`,
    [shop.accountId, shop.owner.memberId, address, `key-${shop.owner.memberId}`],
  );
});

/** Subjects of the emails that are written now, without a quiet period after the last ones. */
async function read(): Promise<readonly string[]> {
  const before = mail.server.received().length;
  await database.sql("delete from email");
  await mail.run();
  return mail.server
    .received()
    .slice(before)
    .filter(({ to }) => to.includes(address))
    .map(({ subject }) => subject);
}

/** Pays a new deposit in ether and lets it confirm. */
async function pay(wallet: string, attributes: JsonObject, amount: string): Promise<string> {
  const id = await arrangeDepositOf(api, shop.token, newDeposit(wallet, attributes, "1002"));
  await payAll(api, "ETH", [{ accountId: shop.accountId, id, amount }]);
  return id;
}

describe("the subject of a notification email", () => {
  it("names the order, or the deposit without one, and the value in another fiat currency", async () => {
    const { merchant } = shop.wallets;
    const id = await pay(merchant, { label: "Tee", target_amount_requested: "2000" }, "1");
    expect(await read()).toEqual([`Zahlung eingegangen: 2.000,00 USD für Einzahlung ${id} (Tee)`]);
    const attributes = { fiat_currency: "978" };
    const settings = await api.ask({
      method: "PATCH",
      path: "/store-settings/",
      as: shop.token,
      body: { data: { type: "store-settings", attributes } },
    });
    expect(describeResponse(settings)).toBe("200");
    await pay(merchant, { tracking_id: "4711", target_amount_requested: "2000" }, "1");
    expect(await read()).toEqual([
      "Zahlung eingegangen: 2.000,00 USD (≈ 1.600,00 EUR) für Bestellung 4711",
    ]);
  });

  it("names each payment to a deposit of any amount by what it brought", async () => {
    const { ether } = shop.wallets;
    const body = newDeposit(ether, { tracking_id: "donations" }, "1002");
    const id = await arrangeDepositOf(api, shop.token, body);
    for (const amount of ["0.5", "1"]) {
      await payAll(api, "ETH", [{ accountId: shop.accountId, id, amount }]);
      const value = amount === "1" ? "1 ETH (≈ 2.000,00 USD)" : "0,5 ETH (≈ 1.000,00 USD)";
      expect(await read()).toEqual([`Zahlung eingegangen: ${value} für Bestellung donations`]);
    }
  });

  it("says how much was paid too much", async () => {
    const order = { tracking_id: "4711", target_amount_requested: "1000" };
    await pay(shop.wallets.merchant, order, "1");
    expect(await read()).toEqual([
      "Zahlung zurückgehalten: 2.000,00 USD für Bestellung 4711, 1.000,00 USD zu viel gezahlt",
    ]);
  });

  it("takes an order number that reverses what follows it, and ends with it", async () => {
    const order = { tracking_id: "47\u202e11", target_amount_requested: "2000" };
    await pay(shop.wallets.merchant, order, "1");
    expect(await read()).toEqual(["Zahlung eingegangen: 2.000,00 USD für Bestellung 4711"]);
  });

  it("names the receiver of a payout that needs approval, its value and its label", async () => {
    await fundTenant(api, shop);
    await read();
    const clerk = await api.arrangeMember({
      accountId: shop.accountId,
      role: "withdrawals_with_approval",
    });
    const token = await api.tokenOf(clerk);
    const order = newPayout(shop.wallets.ether, { amount: "0.5", label: "Miete" });
    const id = await arrangePayoutOf(api, token, order);
    const [first] = await read();
    expect(mail.server.received().at(-1)?.text).toContain("Beantragt von: ");
    expect(first).toMatch(
      /^Auszahlung zu genehmigen: 0,5 ETH \(≈ 1\.000,00 USD\) an 0x\w{6}…\w{8} \(Miete\)$/,
    );
    await database.sql(
      `insert into address_book (account_id, chain, address, label, created_at)
       select account_id, chain, address, 'Alice Ltd.', created_at from payout where id = $1`,
      [id],
    );
    await arrangePayoutOf(api, token, order);
    expect(await read()).toEqual([
      "Auszahlung zu genehmigen: 0,5 ETH (≈ 1.000,00 USD) an Alice Ltd. (Miete)",
    ]);
  });
});
