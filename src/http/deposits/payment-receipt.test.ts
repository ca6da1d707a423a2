import { beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { depositApi, makeDeposit } from "../../../test/support/deposit-api.ts";
import {
  type AnnouncingChain,
  announceChain,
  arrangeWallet,
  depositWorld,
  fillPool,
  payment,
  rateOf,
  usd,
  type Wallet,
} from "../../../test/support/deposit-world.ts";
import { useMailSite } from "../../../test/support/mail-site.ts";
import { outcomeOf, paymentPages } from "../../../test/support/payment-pages.ts";
import { readReceipt } from "../../deposits/checkout/receipt.store.ts";
import type { Deposit } from "../../deposits/deposit.ts";
import type { JsonValue } from "../../platform/kernel/json.ts";

/* Receipts by email: asked for on the payment page, sent by a real SMTP server once the deposit is paid. */

const database = useDatabase();
const world = depositWorld(database);
const pages = paymentPages(world, { sendsEmail: true });
const silentPages = paymentPages(world);
const deposits = depositApi(world);
const mail = useMailSite(database, world.clock, (accountId, depositId) =>
  readReceipt(
    database.db,
    { currencies: world.context.currencies, baseUrl: "https://pay.example" },
    accountId,
    depositId,
  ),
);
let ethereum: AnnouncingChain;
let shop: Wallet;

beforeEach(async () => {
  world.clock.advance(10);
  ethereum = await announceChain(world, "ETH");
  await ethereum.catchUp();
  world.rates.clear();
  world.rates.set("1002 840", rateOf("2000"));
  shop = await arrangeWallet(world, { type: 1, currency: usd });
  await database.sql("update account set payment_page_shop_name = $1, receipt_note = $2", [
    "Tea <House>",
    "1 Main Street",
  ]);
  await fillPool(world, "evm", "", 3);
});

const invoice = (attributes: Readonly<Record<string, JsonValue>> = {}): Promise<Deposit> =>
  makeDeposit(
    deposits,
    world,
    shop,
    { target_amount_requested: "100", tracking_id: "4711", ...attributes },
    "1002",
  );

const ask = (deposit: Deposit, email: string, language = "en", through = pages) =>
  through.post(`/pay/${deposit.paymentPageId}/receipt/`, { email, language });

const receivedBy = (address: string) =>
  mail.server.received().filter(({ to }) => to.includes(address));

/** Pays a deposit exactly, and confirms the payment. */
async function pay(deposit: Deposit): Promise<void> {
  await ethereum.append([payment({ deposit, amount: "0.05" })]);
  for (let block = 0; block < 3; block += 1) await ethereum.append([]);
}

describe("a receipt by email", () => {
  it("goes out when the deposit is paid, once, in the payer's language, with what was paid", async () => {
    const deposit = await invoice({ description: "Green tea" });
    expect((await ask(deposit, "payer@example.com", "de")).status).toBe(200);
    expect((await ask(deposit, "payer@example.com", "de")).status).toBe(200);
    await mail.run();
    expect(receivedBy("payer@example.com")).toEqual([]);
    await pay(deposit);
    await mail.run();
    await mail.run();
    const [email, ...more] = receivedBy("payer@example.com");
    expect(more).toEqual([]);
    expect(email?.subject).toBe("Ihr Beleg von Tea <House>: 100,00 USD");
    for (const text of ["Betrag: 100,00 USD", "Bestellung: 4711", "Green tea", "1 Main Street"])
      expect(email?.text).toContain(text);
    expect(email?.text).toContain(`https://pay.example/pay/${deposit.paymentPageId}`);
    expect(email?.headers["from"]).toContain("Tea <House>");
    expect(email?.html).not.toContain("Tea <House>");
    // Neither request nor outbox keeps the address.
    const rows = await database.sql(
      "select e::text from email e union all select r::text from receipt_request r",
    );
    expect(JSON.stringify(rows)).not.toContain("payer@example.com");
  });

  it("goes out at once when the deposit is already paid", async () => {
    const deposit = await invoice();
    await pay(deposit);
    expect((await pages.stateOf(deposit)).receipt).toMatchObject({ isMailed: true });
    await ask(deposit, "late@example.com");
    await mail.run();
    expect(receivedBy("late@example.com").map(({ subject }) => subject)).toEqual([
      "Your receipt from Tea <House>: 100.00 USD",
    ]);
  });

  it("is sent to three addresses of a deposit at most, and to no other payment's", async () => {
    const [deposit, other] = [await invoice(), await invoice()];
    await pay(deposit);
    for (const email of ["a@example.com", "b@example.com", "c@example.com"])
      expect((await ask(deposit, email)).status).toBe(200);
    await mail.run();
    expect((await ask(deposit, "d@example.com")).status).toBe(429);
    await ask(other, "e@example.com");
    await mail.run();
    expect(receivedBy("e@example.com")).toEqual([]);
    expect(receivedBy("d@example.com")).toEqual([]);
  });

  it.each([
    ["payer", "en", "400 1007 /email"],
    ["payer@example.com\r\nBcc: eve@example.com", "en", "400 1007 /email"],
    ["a@example.com, b@example.com", "en", "400 1007 /email"],
    ["payer@example.com", "xx", "400 1007 /language"],
  ])("refuses %j in %s", async (email, language, expected) => {
    expect(outcomeOf(await ask(await invoice(), email, language))).toBe(expected);
  });

  it("is not offered for open amounts, expired deposits, and without a mail server", async () => {
    const open = await invoice({ target_amount_requested: null });
    expect((await pages.stateOf(open)).receipt).toMatchObject({ isMailed: false });
    expect((await ask(open, "payer@example.com")).status).toBe(403);
    const ended = await invoice();
    await database.sql("update deposit set status = 4 where id = $1", [ended.id]);
    expect(outcomeOf(await ask(ended, "payer@example.com"))).toMatch(/^409/);
    const silent = await invoice();
    expect((await silentPages.stateOf(silent)).receipt).toMatchObject({ isMailed: false });
    expect((await ask(silent, "payer@example.com", "en", silentPages)).status).toBe(403);
  });
});
