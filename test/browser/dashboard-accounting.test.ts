/** Monthly statements with their CSV file, and the travel rule thresholds that operators set and refunds follow. */
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { decideProtectionChange } from "../../src/main/commands/decide-protection-change.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { outsideAddress } from "../scenarios/support/chain-facts.ts";
import { addressOf, depositStatus, type Shop, withShop } from "../scenarios/support/shop.ts";
import { describeInBrowser } from "./support/browser-suite.ts";
import { openDashboard } from "./support/open-dashboard.ts";
import { presentable } from "./support/presentable.ts";

const patience = { timeout: 900_000 };
/** More than LTC's confirmation count in the sandbox. */
const deepEnough = 8;

describeInBrowser("accounting in the dashboard", (site) => {
  it("shows a wallet's month, and exports it with a currency next to each amount", patience, () =>
    withShop(site.testSite(), async (shop) => {
      const wallet = await shop.wallet("enterprise", "LTC");
      const deposit = await shop.deposit(wallet);
      await site.testSite().onChain("LTC", async (chain) => {
        await chain.pay("LTC", addressOf(deposit), "0.25");
        await chain.mine(deepEnough);
      });
      await shop.expectBalance(wallet, "0.25000000", "0.00000000");
      const visit = await openDashboard(site, `/statements?filter[wallet]=${wallet}`);
      const { page } = visit;
      const rows = page.getByRole("table", { name: "Statements" }).locator("tbody tr");
      await rows.getByText("0.25").first().waitFor();
      expect(await rows.count()).toBe(1);
      const month = (await rows.getByRole("cell").first().innerText()).trim();
      expect(month).toBe(new Date().toISOString().slice(0, 7));
      await presentable(visit, "dashboard-statements");
      const statement = await exported(page);
      expect(
        [
          "Month",
          "Payments",
          "Payments currency",
          "Closing balance",
          "Closing balance currency",
          "Payments (fiat) currency",
          "Without fiat value",
        ].map(statement),
      ).toEqual([month, "0.25000000", "LTC", "0.25000000", "LTC", "USD", "0"]);
      const value = statement("Payments (fiat)");
      expect(value).toMatch(/^[1-9]\d*\.\d\d$/);

      await page.goto(`/ui/deposits?filter[wallet]=${wallet}`);
      await page.getByRole("table", { name: "Deposits" }).getByText("0.25").first().waitFor();
      const row = await exported(page);
      expect(
        ["Status", "Received", "Received currency", "Fiat value", "Fiat value currency"].map(row),
      ).toEqual(["Paid", "0.25000000", "LTC", value, "USD"]);
      await page.getByRole("button", { name: "Choose columns" }).click();
      await page.getByRole("checkbox", { name: "Fiat value" }).check();
      await page.keyboard.press("Escape");
      await page.getByRole("columnheader", { name: "Fiat value" }).waitFor();
      await presentable(visit, "dashboard-deposits-fiat");
      await page.goto(`/ui/deposits/${deposit.id}`);
      const payments = page.getByRole("table", { name: "Transfers of this deposit" });
      await payments.getByRole("columnheader", { name: "Fiat value" }).waitFor();
      await presentable(visit, "dashboard-deposit-fiat");
      await payments.getByRole("link").first().click();
      await page.getByText(/1 LTC =/).waitFor();
      await presentable(visit, "dashboard-transfer-fiat");
    }),
  );

  it(
    "asks for recipient details of a refund only from the threshold that an operator set",
    patience,
    () =>
      withShop(site.testSite(), async (shop) => {
        const invoice = await overpaidInvoice(shop);
        const visit = await openDashboard(site, "/operations");
        const { page } = visit;
        const section = page.getByRole("region", { name: "Travel rule thresholds" });
        await section.getByRole("button", { name: "Set threshold" }).click();
        const dialog = page.getByRole("dialog", { name: "Set travel rule threshold" });
        await dialog
          .getByRole("combobox", { name: "Currency" })
          .or(dialog.getByRole("textbox", { name: "Currency" }))
          .first()
          .click();
        await page.getByRole("option", { name: /^LTC/ }).first().click();
        await dialog.getByRole("textbox", { name: "Amount" }).fill("1000");
        await presentable(visit, "dashboard-travel-rule-threshold");
        await dialog.getByRole("button", { name: "Set threshold" }).click();
        await dialog.waitFor({ state: "detached" });
        await approveChange();
        await page.reload();
        const thresholds = page.getByRole("table", { name: "Travel rule thresholds" });
        await thresholds.getByText("1,000").waitFor();
        await presentable(visit, "dashboard-travel-rule-thresholds");

        const address = await site.testSite().onChain("LTC", (chain) => outsideAddress(chain));
        await openRefund(page, invoice, address);
        const details = page.getByRole("switch", { name: "Add recipient details" });
        await details.waitFor();
        const firstName = page.getByRole("dialog").getByRole("textbox", { name: "First name" });
        expect(await firstName.count()).toBe(0);
        await presentable(visit, "dashboard-refund-below-threshold");
        await details.check();
        await firstName.waitFor();
        await details.uncheck();
        expect(await firstName.count()).toBe(0);
        await Promise.all([
          page.getByText("Refund created").waitFor(),
          page.getByRole("dialog").getByRole("button", { name: "Send refund" }).click(),
        ]);

        await page.goto("/ui/operations");
        await thresholds.getByRole("button", { name: "Remove the threshold of LTC" }).click();
        await page.getByRole("button", { name: "Remove threshold" }).click();
        await section.getByText("Every payout and refund requires recipient details.").waitFor();
        await openRefund(page, await overpaidInvoice(shop), address);
        await firstName.waitFor();
        expect(await details.count()).toBe(0);
      }),
  );

  /** As the operator's command line does: it excuses more payouts, so the one who asked may not approve it. */
  async function approveChange(): Promise<void> {
    const { deployment, sql, terminal } = site.testSite();
    const [change] = await sql<{ readonly id: string; readonly accountId: string }>(
      `select id, account_id as "accountId" from protection_change where status = 'waiting'`,
    );
    const waiting = present(change, "the threshold's change");
    await decideProtectionChange(
      deployment.configFile,
      { ...waiting, decision: "approve" },
      terminal,
    );
  }

  /** An Unresolved invoice in USD, paid in litecoin with more than was asked for. */
  async function overpaidInvoice(shop: Shop): Promise<string> {
    const wallet = await shop.wallet("merchant", "USD");
    const deposit = await shop.deposit(wallet, { target_amount_requested: "40" }, "LTC");
    await site.testSite().onChain("LTC", async (chain) => {
      await chain.pay("LTC", addressOf(deposit), "3");
      await chain.mine(deepEnough);
    });
    await shop.expectDeposit(deposit, { status: depositStatus.unresolved });
    return deposit.id;
  }
});

/** Exports the list as CSV: the cell of its one row below a header. */
async function exported(page: Page): Promise<(header: string) => string | undefined> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export CSV" }).click(),
  ]);
  const lines = (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n");
  expect(lines).toHaveLength(2);
  const [head = [], row = []] = lines.map((line) => line.replace("\uFEFF", "").split(","));
  return (header) => row[head.indexOf(header)];
}

async function openRefund(page: Page, deposit: string, address: string): Promise<void> {
  await page.goto(`/ui/deposits/${deposit}`);
  await page.getByRole("button", { name: "Accept or refund" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: "Refund in full" }).check();
  await dialog.getByRole("textbox", { name: "Refund address" }).fill(address);
  await dialog.getByText("Recipient gets", { exact: true }).waitFor();
}
