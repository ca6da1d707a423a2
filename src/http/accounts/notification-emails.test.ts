import { beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { fillPool } from "../../../test/support/deposit-world.ts";
import { useMailSite } from "../../../test/support/mail-site.ts";
import { payee } from "../../../test/support/payout-world.ts";
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
     values ($1, $2, $3, '{paid,on_hold,approval_waiting,payouts_stopped}', $4, 'de')`,
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

/** Lets another member read the same topics, in English; returns its address. */
async function notifyAlso(memberId: string): Promise<string> {
  const email = `member${memberId}@shop.example`;
  await database.sql(
    `insert into member_contact (account_id, member_id, email, topics, push_topics, unsubscribe_key)
     values ($1, $2, $3, '{approval_waiting}', '{approval_waiting}', $4)`,
    [shop.accountId, memberId, email, `key-${memberId}`],
  );
  await database.sql("update member_contact set push_topics = topics where account_id = $1", [
    shop.accountId,
  ]);
  return email;
}

/** Uploads payouts of ether to one address; returns the batch's id. */
async function createBatch(as: string, ...amounts: readonly string[]): Promise<string> {
  const lines = amounts.map((amount) => `${payee},${amount},Jo,Doe,Some Street 1\n`);
  const csv = `address,amount,first_name,last_name,street\n${lines.join("")}`;
  const related = (type: string, id: string) => ({ data: { type, id } });
  const answer = await api.ask({
    method: "POST",
    path: "/payout-batch/",
    as,
    body: {
      data: {
        type: "payout-batch",
        attributes: { csv, reference: "Gehälter", fees_max: "1" },
        relationships: {
          wallet: related("wallet", shop.wallets.ether),
          currency: related("currency", "1002"),
        },
      },
    },
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.one.id;
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
    expect(mail.server.received().at(-1)?.text).toContain("Empfänger (Travel Rule): Jo Doe\n");
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

  it("tells of a batch once, with its sum, and not the member who created it", async () => {
    await fundTenant(api, shop);
    const clerk = await api.arrangeMember({
      accountId: shop.accountId,
      role: "withdrawals_with_approval",
    });
    const own = await notifyAlso(clerk.memberId);
    await read();
    const created = await createBatch(await api.tokenOf(clerk), "0.25", "0.5");
    expect(await read()).toEqual([
      "Sammelauszahlung zu genehmigen: 2 Auszahlungen, 0,75 ETH (≈ 1.500,00 USD) (Gehälter)",
    ]);
    const email = mail.server.received().at(-1);
    expect(email?.text).toContain(`/ui/batches/${created}\n`);
    expect(email?.text).toContain("Auszahlungen: 2\n- Summe: 0,75 ETH\n- Wert: 1.500,00 USD\n");
    expect(mail.server.received().filter(({ to }) => to.includes(own))).toEqual([]);
    // The same file sent again creates nothing, and so tells nothing.
    expect(await createBatch(await api.tokenOf(clerk), "0.25", "0.5")).toBe(created);
    expect(await read()).toEqual([]);
  });

  it("tells who created a payout nothing of its approval, by email or in the browser", async () => {
    await fundTenant(api, shop);
    const clerk = await api.arrangeMember({
      accountId: shop.accountId,
      role: "withdrawals_with_approval",
    });
    const own = await notifyAlso(clerk.memberId);
    await database.sql(
      `insert into push_subscription
         (account_id, member_id, session_number, endpoint, public_key, auth_sealed, language, browser, created_at)
       select account_id, id, 1, 'https://push.example/' || id, decode(repeat('04', 65), 'hex'), '', 'de', '', created_at
       from member where account_id = $1 and id = any($2::bigint[])`,
      [shop.accountId, [clerk.memberId, shop.owner.memberId]],
    );
    await read();
    await arrangePayoutOf(api, await api.tokenOf(clerk), newPayout(shop.wallets.ether));
    const told = await database.sql<{ id: string }>(
      "select member_id as id from push_notice where account_id = $1",
      [shop.accountId],
    );
    expect(told).toEqual([{ id: shop.owner.memberId }]);
    expect(await read()).toHaveLength(1);
    expect(mail.server.received().filter(({ to }) => to.includes(own))).toEqual([]);
  });

  it("says that payouts are stopped and resumed, of which wallet, by whom and when", async () => {
    const { ether } = shop.wallets;
    await read();
    const stop = {
      type: "kill-switch",
      attributes: { scope: "wallet", reason: "Prüfung" },
      relationships: { wallet: { data: { type: "wallet", id: ether } } },
    };
    const on = await api.ask({
      method: "POST",
      path: "/kill-switch/",
      as: shop.token,
      body: { data: stop },
    });
    expect(describeResponse(on)).toBe("201");
    expect(await read()).toMatchObject([expect.stringMatching(/^Auszahlungen sind gestoppt: /)]);
    const release = { method: "POST", path: `/kill-switch/wallet-${ether}/release/` } as const;
    expect(describeResponse(await api.ask({ ...release, as: shop.token }))).toBe("200");
    const [subject, ...more] = await read();
    expect(more).toEqual([]);
    expect(subject).toMatch(
      new RegExp(`^Auszahlungen werden fortgesetzt: Auszahlungen der Wallet ${ether} `),
    );
    expect(mail.server.received().at(-1)?.text).toMatch(
      /- Fortgesetzt von: \S.*\n- Zeitpunkt: \d{4}-\d\d-\d\d \d\d:\d\d UTC\n/,
    );
  });
});
