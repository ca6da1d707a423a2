/**
 * What a merchant does about money in the dashboard: requests a payment, watches it arrive, decides about money on hold, and
 * views wallets, transfers and currencies. Payments and payouts use real chains.
 */
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import { readSandboxFile } from "../../src/sandbox/sandbox-file.ts";
import { newEvmAddress } from "../scenarios/support/cashier.ts";
import { type ChainControl, signal } from "../scenarios/support/chain-control.ts";
import { outsideAddress, unitsAt } from "../scenarios/support/chain-facts.ts";
import { depositStatus, type Shop, withShop } from "../scenarios/support/shop.ts";
import { describeInBrowser } from "./support/browser-suite.ts";
import { holdRequests, openDashboard, whoLooksIsKnown } from "./support/open-dashboard.ts";
import { presentable } from "./support/presentable.ts";

const patience = { timeout: 900_000 };
/** More than the confirmation count of any of the sandbox's chains. */
const deepEnough = 8;
/** The developer account whose address the sandbox's screening marks red. */
const redAccount = 9;

describeInBrowser("money in the dashboard", (site) => {
  it("creates an invoice, and shows it as Paid after a payment on the chain", patience, () =>
    withShop(site.testSite(), async (shop) => {
      const wallet = await shop.wallet("merchant", "USD");
      const visit = await openDashboard(site, `/deposits/new?wallet=${wallet}`);
      const { page } = visit;
      visit.expectErrors(/400/);
      await page.getByRole("textbox", { name: "Amount (USD)" }).fill("40");
      await page.getByRole("textbox", { name: "Payment tolerance (USD)" }).fill("41");
      await page.getByRole("textbox", { name: "Label" }).fill("Two chairs");
      await choose(page, "Payment currency", "LTC");
      await presentable(visit, "dashboard-new-deposit");
      await page.getByRole("button", { name: "Create deposit" }).click();
      const tolerance = page.getByRole("textbox", { name: "Payment tolerance (USD)" });
      await expect.poll(() => tolerance.getAttribute("aria-invalid")).toBe("true");
      await visit.expectAccessible();
      await tolerance.fill("1");
      await page.getByRole("button", { name: "Create deposit" }).click();
      await page.getByRole("heading", { level: 1, name: "Send this to your customer" }).waitFor();
      await presentable(visit, "dashboard-deposit-share");
      await page.getByRole("button", { name: "Copy payment link" }).click();
      await expect
        .poll(() => page.evaluate("navigator.clipboard.readText()"))
        .toMatch(/\/pay\/[\w-]{36}/);
      await page.getByRole("link", { name: "View deposit" }).click();
      await page.getByRole("heading", { level: 1, name: "Two chairs" }).waitFor();
      await page.getByText("No payments yet").waitFor();
      const id = present(new URL(page.url()).pathname.split("/").at(-1), "the deposit's number");
      const { attributes } = await shop.client.get(`/deposit/${id}/`);
      await site.testSite().onChain("LTC", async (chain) => {
        await chain.pay(
          "LTC",
          text(attributes["address"]),
          text(attributes["source_amount_requested"]),
        );
        await transfersOf(page).getByText("Unconfirmed").waitFor();
        await chain.mine(deepEnough);
      });
      await expectStatus(page, "Paid");
      await page.getByText("Status: Paid").waitFor();
      await page.getByRole("button", { name: "Show ledger entries" }).click();
      await page.getByText("Ledger entry").first().waitFor();
      await presentable(visit, "dashboard-deposit-paid");
    }),
  );

  it("accepts an overpayment", patience, () =>
    withShop(site.testSite(), async (shop) => {
      const { page } = await openUnresolved(shop, "1.5");
      await page.getByRole("button", { name: "Accept or refund" }).click();
      // Two clicks must not keep what the payer paid too much.
      const part = page.getByRole("radio", { name: "Keep part, refund the rest" });
      expect(await part.isChecked()).toBe(true);
      const kept = page.getByRole("textbox", { name: /^Amount to keep/ });
      expect(Number(await kept.inputValue())).toBe(40);
      expect(await page.getByRole("button", { name: "Accept", exact: true }).count()).toBe(0);
      await page.getByRole("radio", { name: "Accept in full" }).check();
      await page.getByRole("button", { name: "Accept", exact: true }).click();
      await expectStatus(page, "Overpaid");
      await page.getByText(/^Accepted by (?!a team member)/).waitFor();
    }),
  );

  it("suggests refunding the second payment of a Paid deposit", patience, () =>
    withShop(site.testSite(), async (shop) => {
      const { page } = await openUnresolved(shop, "1", "1.25");
      await page.getByText("Action required: second payment").waitFor();
      await page.getByRole("button", { name: "Accept or refund" }).click();
      // Keeping the requested amount again would credit it twice.
      const refund = page.getByRole("radio", { name: "Refund in full" });
      await refund.waitFor();
      expect(await refund.isChecked()).toBe(true);
      await page
        .getByRole("dialog")
        .getByText(/On hold: 50\.00/)
        .waitFor();
      await page.getByRole("radio", { name: "Keep part, refund the rest" }).check();
      const kept = page.getByRole("textbox", { name: /^Amount to keep/ });
      expect(await kept.inputValue()).toBe("");
    }),
  );

  it("refunds an overpayment to the payer on the chain", patience, () =>
    withShop(site.testSite(), async (shop) => {
      const visit = await openUnresolved(shop, "1.5");
      const { page } = visit;
      await presentable(visit, "dashboard-deposit-unresolved");
      await site.testSite().onChain("LTC", async (chain) => {
        const address = await outsideAddress(chain);
        await refundDeposit(visit, "Refund in full", address, "dashboard-resolve-refund");
        await expectStatus(page, "Refunded");
        await expectArrived(chain, address);
        // The payout of the refund leads back to its deposit, and takes its fee out of the payment.
        const deposit = new URL(page.url()).pathname;
        const { owner } = site.testSite();
        const [payout] = await owner.list(`/payout/?filter[address]=${address}`);
        const { id } = present(payout, "the payout of the refund");
        await page.goto(`/ui/payouts/${id}`);
        await page.getByText("Network fee (deducted)").waitFor();
        await presentable(visit, "dashboard-payout-of-refund");
        await page.getByRole("link", { name: /^Deposit \d+$/ }).click();
        await page.waitForURL(`**${deposit}`);
      });
    }),
  );

  it("keeps a part and refunds the rest", patience, () =>
    withShop(site.testSite(), async (shop) => {
      const visit = await openUnresolved(shop, "1.5");
      await site.testSite().onChain("LTC", async (chain) => {
        const address = await outsideAddress(chain);
        await refundDeposit(
          visit,
          "Keep part, refund the rest",
          address,
          "dashboard-resolve-partial",
          () => expectNothingSent(visit.page),
        );
        await expectStatus(visit.page, "Paid");
        await expectArrived(chain, address);
      });
      await transfersOf(visit.page)
        .getByText(/(?:Paid back in part|Refunded in part|Partially refunded) by payout/)
        .waitFor();
      await visit.page.getByText(/^[\d.]+\s*USD, kept (?:40\.00|39\.99)\s*USD$/).waitFor();
      await visit.page.getByText(/^Refunded by /).waitFor();
      await presentable(visit, "dashboard-deposit-partly-refunded");
    }),
  );

  it("releases what screening holds, or returns it to the sender", patience, () =>
    withShop(site.testSite(), async (shop) => {
      const wallet = await shop.wallet("enterprise", "ETH");
      const [kept, unwanted] = [await shop.deposit(wallet), await shop.deposit(wallet)];
      await site.testSite().onChain("ETH", async (chain) => {
        const accounts = await chain.rpc.call<readonly string[]>("eth_accounts", [], signal);
        for (const deposit of [kept, unwanted]) {
          const value = `0x${(3n * 10n ** 17n).toString(16)}`;
          const paid = {
            from: accounts[redAccount],
            to: text(deposit.attributes["address"]),
            value,
          };
          await chain.rpc.callOnce("eth_sendTransaction", [paid], signal);
        }
        for (const deposit of [kept, unwanted]) await shop.expectTransfer(deposit, { status: -2 });
        await chain.mine(deepEnough * 2);
      });
      const visit = await openDashboard(site, `/deposits/${kept.id}`);
      const { page } = visit;
      const held = page.getByRole("alert").filter({ hasText: /needs review|was refunded/ });
      await held.waitFor();
      await transfersOf(page).getByText("Held", { exact: true }).waitFor();
      await presentable(visit, "dashboard-deposit-held");
      await held.getByRole("button", { name: "Release" }).click();
      const giveReason = () =>
        page.getByRole("dialog").getByRole("textbox", { name: "Reason" }).fill("Known payer");
      await giveReason();
      await page.getByRole("dialog").getByRole("button", { name: "Release" }).click();
      await held.waitFor({ state: "detached" });
      await transfersOf(page).getByText("Confirmed", { exact: true }).waitFor();
      await shop.expectDeposit(kept, { target_paid: "0.300000000000000000" });

      await page.goto(`/ui/deposits/${unwanted.id}`);
      await held.getByRole("button", { name: "Refund" }).click();
      await site.testSite().onChain("ETH", async (chain) => {
        const address = newEvmAddress();
        await giveReason();
        await fillPayBack(visit, address, "dashboard-transfer-return");
        await held.filter({ hasText: "Refunded by payout" }).waitFor();
        await transfersOf(page).getByText("Refunded", { exact: true }).waitFor();
        await expect.poll(() => held.getByRole("button").count()).toBe(0);
        await presentable(visit, "dashboard-deposit-returned");
        await expectArrived(chain, address, "ETH");
      });
      expect(await shop.read(unwanted)).toMatchObject({ target_paid: "0.000000000000000000" });
    }),
  );

  it("changes label and time limit, and cancels the deposit", patience, () =>
    withShop(site.testSite(), async (shop) => {
      const deposit = await shop.deposit(await shop.wallet("merchant", "USD"), {
        target_amount_requested: "40",
      });
      const { page, expectAccessible } = await openDashboard(site, `/deposits/${deposit.id}`);
      await page.getByRole("button", { name: "Edit" }).click();
      await page.getByRole("dialog").getByRole("textbox", { name: "Label" }).fill("One chair");
      await choose(page, "Expires in", "1 hour");
      await expectAccessible();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("heading", { level: 1, name: "One chair" }).waitFor();
      expect(await shop.read(deposit)).toMatchObject({ label: "One chair", time_limit: 3600 });
      await page.getByRole("button", { name: "Cancel deposit" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Cancel deposit" }).waitFor();
      await expectAccessible();
      await page.getByRole("dialog").getByRole("button", { name: "Cancel deposit" }).click();
      await expectStatus(page, "Canceled");
    }),
  );

  it("shows everything to Read only, without actions", patience, () =>
    withShop(site.testSite(), async (shop) => {
      const deposit = await shop.deposit(await shop.wallet("merchant", "USD"), {
        target_amount_requested: "40",
      });
      const { users } = await readSandboxFile(dirname(site.deployment().configFile));
      const as = present(
        users.find(({ role }) => role === "Read only"),
        "a reader",
      );
      const { page } = await openDashboard(site, `/deposits/${deposit.id}`, { as });
      await page.getByText("No payments yet").waitFor();
      await whoLooksIsKnown(page);
      for (const name of ["Edit", "Cancel deposit", "Accept or refund"]) {
        expect(await page.getByRole("button", { name }).count()).toBe(0);
      }
      await page.getByRole("link", { name: "Deposits", exact: true }).first().click();
      await page.getByRole("table", { name: "Deposits" }).locator("tbody a").first().waitFor();
      expect(await page.getByRole("link", { name: "New deposit" }).count()).toBe(0);
      await page.getByRole("link", { name: "Wallets", exact: true }).click();
      await page.getByRole("table", { name: "Wallets" }).locator("tbody a").first().waitFor();
      expect(await page.getByRole("button", { name: "New wallet" }).count()).toBe(0);
    }),
  );

  it("shows balances of wallets with their values, and creates a wallet", patience, async () => {
    const visit = await openDashboard(site, "/wallets");
    const { page } = visit;
    await page.getByRole("table", { name: "Wallets" }).locator("tbody a").first().waitFor();
    await page.getByText(/≈/).first().waitFor();
    await presentable(visit, "dashboard-wallets");
    await page.getByRole("button", { name: "New wallet" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("radio", { name: "Enterprise" }).check();
    await choose(page, "Currency", "LTC");
    await dialog.getByRole("textbox", { name: "Label" }).fill("Silver drawer");
    await presentable(visit, "dashboard-new-wallet");
    await dialog.getByRole("button", { name: "Create wallet" }).click();
    await page.getByRole("heading", { level: 1, name: "Silver drawer" }).waitFor();
    await page.getByText("No deposits yet. Create one to receive a payment.").waitFor();
    await presentable(visit, "dashboard-wallet");
    await page.getByRole("button", { name: "Rename" }).click();
    await page.getByRole("dialog").getByRole("textbox", { name: "Label" }).fill("Lower drawer");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { level: 1, name: "Lower drawer" }).waitFor();
    await page.getByRole("link", { name: "New deposit" }).click();
    await page.getByRole("button", { name: "Create deposit" }).click();
    await page.getByText(/Deposit address \(LTC on Litecoin\)/).waitFor();
    await presentable(visit, "dashboard-address-share");
  });

  it(
    "filters transfers with the keyboard, exports them as a file, and finds them by transaction",
    patience,
    () =>
      withShop(site.testSite(), async (shop) => {
        const deposit = await shop.deposit(await shop.wallet("enterprise", "LTC"));
        const txid = await site.testSite().onChain("LTC", async (chain) => {
          const paid = await chain.pay("LTC", text(deposit.attributes["address"]), "0.25");
          await chain.mine(deepEnough);
          return paid;
        });
        await shop.expectTransfer(deposit, { status: 2 });
        const visit = await openDashboard(site, "/transfers");
        const { page } = visit;
        const rows = page.getByRole("table", { name: "Transfers" }).locator("tbody tr");
        await rows.getByRole("link").first().waitFor();
        await presentable(visit, "dashboard-transfers");
        await page.getByRole("button", { name: "Filters" }).focus();
        await page.keyboard.press("Enter");
        const number = page.getByLabel("Deposit or payout ID");
        // An invisible field cannot be focused.
        await number.waitFor();
        await number.focus();
        await page.keyboard.type(deposit.id);
        await page.keyboard.press("Enter");
        await expect
          .poll(() => new URL(page.url()).searchParams.get("filter[op_id]"))
          .toBe(deposit.id);
        await page.getByLabel("Source", { exact: true }).selectOption("Deposit");
        await expect.poll(() => new URL(page.url()).searchParams.get("filter[op_type]")).toBe("1");
        await page.locator("table[aria-label='Transfers'][aria-busy='false']").waitFor();
        await expect.poll(() => rows.count()).toBe(1);
        const [download] = await Promise.all([
          page.waitForEvent("download"),
          page.getByRole("button", { name: "Export CSV" }).click(),
        ]);
        const lines = (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n");
        const [head = [], row = []] = lines.map((line) => line.replace("\uFEFF", "").split(","));
        expect(row[head.indexOf("Amount")]).toBe("0.25000000");
        expect(row[head.indexOf("Transaction")]).toBe(txid);
        await page.keyboard.press("Escape");
        await page.getByRole("button", { name: "Search" }).click();
        await page.getByRole("dialog").getByRole("searchbox").fill(txid);
        await page
          .getByRole("dialog")
          .getByRole("link", { name: /^Transfer/ })
          .click();
        await page.getByRole("heading", { level: 1, name: /^Transfer \d/ }).waitFor();
        await page.getByText(/Final \(/).waitFor();
        await presentable(visit, "dashboard-transfer");
      }),
  );

  it(
    "shows confirmations and minimum amounts of currencies, and keeps the page of the list",
    patience,
    async () => {
      const visit = await openDashboard(site, "/currencies");
      const table = visit.page.getByRole("table", { name: "Currencies" });
      await table.getByText("Litecoin").first().waitFor();
      await presentable(visit, "dashboard-currencies");

      const { page } = visit;
      const next = page.getByRole("button", { name: "Next" });
      // The earlier rows stay until those of all currencies arrive; until then the next page is disabled.
      const { letThrough } = await holdRequests(
        page,
        (url) =>
          url.pathname === "/currency/" && url.searchParams.get("filter[is_available]") === null,
      );
      expect(await next.isEnabled()).toBe(true);
      await page.getByRole("radiogroup", { name: "Shown currencies" }).getByText("All").click();
      await expect.poll(() => next.isDisabled()).toBe(true);
      expect(await table.getAttribute("aria-busy")).toBe("true");
      letThrough();
      await expect.poll(() => next.isEnabled()).toBe(true);
      expect(await table.getAttribute("aria-busy")).toBe("false");

      // The other cells of a row load separately.
      const first = table.locator("tbody tr").first().getByRole("cell").first();
      const beginning = await first.innerText();
      const isBeginning = async () => (await first.innerText()) === beginning;
      await next.click();
      await expect.poll(isBeginning).toBe(false);
      const second = await first.innerText();
      await page.reload();
      await expect.poll(() => first.innerText()).toBe(second);
      await page.getByRole("button", { name: "Previous" }).click();
      await expect.poll(isBeginning).toBe(true);
      await page.goBack();
      await expect.poll(() => first.innerText()).toBe(second);
      await page.goBack();
      await expect.poll(isBeginning).toBe(true);
      await page.goForward();
      await expect.poll(() => first.innerText()).toBe(second);
      await page.getByRole("button", { name: "Previous" }).click();
      await expect.poll(isBeginning).toBe(true);
      expect(await page.getByRole("button", { name: "Previous" }).isDisabled()).toBe(true);
    },
  );

  /** An invoice of 40 dollars in litecoin, with a payment of each multiple of the requested amount. */
  async function openUnresolved(shop: Shop, ...factors: readonly string[]) {
    const wallet = await shop.wallet("merchant", "USD");
    const deposit = await shop.deposit(wallet, { target_amount_requested: "40" }, "LTC");
    const asked = text(deposit.attributes["source_amount_requested"]);
    await site.testSite().onChain("LTC", async (chain) => {
      for (const factor of factors) {
        const amount = (Number(asked) * Number(factor)).toFixed(8);
        await chain.pay("LTC", text(deposit.attributes["address"]), amount);
        await chain.mine(deepEnough);
      }
    });
    await shop.expectDeposit(deposit, { status: depositStatus.unresolved });
    const visit = await openDashboard(site, `/deposits/${deposit.id}`);
    await expectStatus(visit.page, "On hold");
    return visit;
  }
});

type Visit = Awaited<ReturnType<typeof openDashboard>>;

/** Fills in the dialog as a merchant would, and submits it. */
async function refundDeposit(
  visit: Visit,
  action: string,
  address: string,
  name: string,
  beforeSending: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const { page } = visit;
  // The address can be typed while it is not known yet whether the payer left one.
  const payer = await holdRequests(page, ({ pathname }) =>
    /^\/deposit\/\d+\/payer\/$/.test(pathname),
  );
  await page.getByRole("button", { name: "Accept or refund" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: action }).check();
  await dialog.getByRole("textbox", { name: "Refund address" }).waitFor();
  expect(payer.count()).toBe(1);
  payer.letThrough();
  await fillPayBack(visit, address, name, beforeSending);
}

/** Submitting right after changing the amount to keep must not use the quote for the earlier amount. */
async function expectNothingSent(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog");
  const field = dialog.getByRole("textbox", { name: /^Amount to keep/ });
  const button = dialog.getByRole("button", { name: "Send refund" });
  const resolved = await holdRequests(page, ({ pathname }) =>
    /^\/deposit\/\d+\/resolve\/$/.test(pathname),
  );
  await page.evaluate(`(() => {
    const dialog = document.querySelector("[role=dialog]");
    const named = ({ textContent }) => textContent.startsWith("Amount to keep");
    const { htmlFor } = [...dialog.querySelectorAll("label")].find(named);
    const field = document.getElementById(htmlFor);
    const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
    write.call(field, "39");
    field.dispatchEvent(new Event("input", { bubbles: true }));
    dialog.querySelector("button[type=submit]").click();
  })()`);
  expect(await field.inputValue()).toBe("39");
  await expect.poll(() => button.isEnabled()).toBe(true);
  expect(resolved.count()).toBe(0);
  resolved.letThrough();
  await field.fill("40");
  await dialog.getByText("Recipient gets", { exact: true }).waitFor();
}

async function fillPayBack(
  visit: Visit,
  address: string,
  name: string,
  beforeSending: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const { page } = visit;
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Refund address" }).fill(address);
  await dialog.getByText("Recipient gets", { exact: true }).waitFor();
  await dialog.getByText(/Required for payouts of any amount\./).waitFor();
  await dialog.getByRole("textbox", { name: "First name" }).fill("Ada");
  await dialog.getByRole("textbox", { name: "Last name" }).fill("Lovelace");
  await dialog.getByRole("textbox", { name: "Street address" }).fill("12 Square");
  await presentable(visit, name);
  await beforeSending();
  // Shown for a few seconds only, so the wait begins before the click.
  await Promise.all([
    page.getByText("Refund created").waitFor(),
    dialog.getByRole("button", { name: "Send refund" }).click(),
  ]);
}

async function expectArrived(chain: ChainControl, address: string, alpha = "LTC"): Promise<void> {
  await expect
    .poll(
      async () => {
        await chain.mine(1);
        return (await unitsAt(chain, alpha, [address])) > 0n;
      },
      { timeout: 270_000, interval: 1_000 },
    )
    .toBe(true);
}

function transfersOf(page: Page) {
  return page.getByRole("table", { name: "Transfers of this deposit" });
}

async function expectStatus(page: Page, status: string): Promise<void> {
  await page
    .getByRole("status")
    .filter({ hasText: new RegExp(`^${status}$`) })
    .first()
    .waitFor();
}

/** Selects from a list that opens below its field. */
async function choose(page: Page, field: string, option: string): Promise<void> {
  await page
    .getByRole("combobox", { name: field })
    .or(page.getByRole("textbox", { name: field }))
    .first()
    .click();
  await page.getByRole("option", { name: option }).first().click();
}

function text(value: unknown): string {
  if (typeof value !== "string") throw new Error(`${JSON.stringify(value)} is no text`);
  return value;
}
