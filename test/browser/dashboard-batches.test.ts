/** Bulk payouts from a file, and the account's webhook endpoints, as a merchant uses them in the dashboard. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { fundedWallet, newEvmAddress } from "../scenarios/support/cashier.ts";
import { withShop } from "../scenarios/support/shop.ts";
import { answerWith } from "../support/callback-receiver.ts";
import { describeInBrowser } from "./support/browser-suite.ts";
import { openDashboard } from "./support/open-dashboard.ts";
import { presentable } from "./support/presentable.ts";

const patience = { timeout: 900_000 };

describeInBrowser("bulk payouts and webhooks", (site) => {
  it("says what is wrong with a file, pays a corrected one, and pays nothing twice", patience, () =>
    withShop(site.testSite(), (shop) =>
      site.testSite().onChain("ETH", async (chain) => {
        const wallet = await fundedWallet(shop, chain, "ETH", "2");
        const visit = await openDashboard(site, "/batches/new");
        const { page } = visit;
        const reference = `Salaries ${wallet}`;
        const [first, second] = [newEvmAddress(), newEvmAddress()];
        await upload(page, wallet, reference, fileOf([first, "0.01"], ["nowhere", "0.02"]));
        await page.getByText(/^Row 3, address/).waitFor();
        await presentable(visit, "dashboard-batch-faults");
        expect(await page.getByRole("button", { name: /^Send/ }).isDisabled()).toBe(true);
        await page.getByRole("button", { name: "Back" }).click();
        // The form and its file are still there.
        expect(await page.getByRole("textbox", { name: "Reference" }).inputValue()).toBe(reference);
        await page.getByText("salaries.csv").waitFor();
        await page.getByRole("button", { name: "Preview" }).click();
        await page.getByText(/^Row 3, address/).waitFor();
        await page.getByRole("button", { name: "Back" }).click();
        const good = fileOf([first, "0.01"], [second, "0.02"]);
        await choose(page, good);
        const table = page.getByRole("table", { name: "Payouts in the file" });
        await table.getByText("0.02").waitFor();
        expect(await table.getByText("Jo Doe").count()).toBe(2);
        await page.getByText("Total ETH").waitFor();
        await presentable(visit, "dashboard-batch-preview");
        const send = page.getByRole("button", { name: /^Send 2 payouts \(about [\d,.]+ USD\)$/ });
        await send.click();
        await page.getByRole("heading", { level: 1, name: reference }).waitFor();
        await page.getByText("2 of 2").waitFor();
        const paidOut = page.getByRole("table", { name: "Payouts of this batch" });
        expect(await paidOut.getByText("Jo Doe").count()).toBe(2);
        await paidOut.getByText("0.02").waitFor();
        await page.getByText("Total value").waitFor();
        await presentable(visit, "dashboard-batch");
        await page.goto("/ui/batches/new");
        await upload(page, wallet, reference, good);
        await page.getByText("2 payouts of this batch already exist").waitFor();
        expect(await page.getByRole("button", { name: /^Send/ }).isDisabled()).toBe(true);
        const paid = await site.testSite().owner.list(`/payout/?filter[wallet]=${wallet}`);
        expect(paid).toHaveLength(2);
      }),
    ),
  );

  it(
    "explains to its creator why a batch waits, with its total, and cancels it as a whole",
    patience,
    () =>
      withShop(site.testSite(), (shop) =>
        site.testSite().onChain("ETH", async (chain) => {
          const wallet = await fundedWallet(shop, chain, "ETH", "2");
          const { clerk } = site.testSite();
          const visit = await openDashboard(site, "/batches/new", { as: clerk.login });
          const { page } = visit;
          const reference = `Waiting ${wallet}`;
          await upload(
            page,
            wallet,
            reference,
            fileOf([newEvmAddress(), "0.01"], [newEvmAddress(), "0.02"]),
          );
          await page.getByText("Available balance").waitFor();
          await page.getByRole("button", { name: /^Request approval for 2 payouts/ }).click();
          await page.getByRole("heading", { level: 1, name: reference }).waitFor();
          await page.getByText("Your role can't approve payouts. Ask an Owner or Admin.").waitFor();
          expect(await page.getByRole("button", { name: "Approve batch" }).count()).toBe(0);
          // The fee is in the coin of the amounts, so one total states both.
          const total = page.getByText("Total ETH").locator("..");
          await expect.poll(() => total.innerText()).toMatch(/0\.03\d*\s*ETH/);
          await presentable(visit, "dashboard-batch-own");
          const table = page.getByRole("table", { name: "Payouts of this batch" });
          await table.getByRole("link").first().click();
          await page.getByText("Your role can't approve payouts. Ask an Owner or Admin.").waitFor();
          await page.goBack();
          await page.getByRole("button", { name: "Cancel batch" }).click();
          const dialog = page.getByRole("dialog", { name: "Cancel this batch?" });
          await presentable(visit, "dashboard-batch-cancel");
          await dialog.getByRole("button", { name: "Cancel batch" }).click();
          await dialog.waitFor({ state: "detached" });
          await expect.poll(() => table.getByText("Canceled").count()).toBe(2);
          expect(await page.getByRole("button", { name: "Cancel batch" }).count()).toBe(0);
        }),
      ),
  );

  it(
    "says once what many rows lack, and does not preview while payouts are stopped",
    patience,
    () =>
      withShop(site.testSite(), (shop) =>
        site.testSite().onChain("ETH", async (chain) => {
          const wallet = await fundedWallet(shop, chain, "ETH", "2");
          const visit = await openDashboard(site, "/batches/new");
          const { page } = visit;
          const rows = Array.from({ length: 50 }, () => `${newEvmAddress()},0.01\n`);
          await upload(page, wallet, `Unnamed ${wallet}`, `address,amount\n${rows.join("")}`);
          await page.getByText(/^Rows 2–51, first_name: Recipient details are required/).waitFor();
          expect(await page.getByRole("alert").getByRole("listitem").count()).toBe(1);
          // A long preview has its buttons above and below.
          expect(await page.getByRole("button", { name: /^Send 50 payouts/ }).count()).toBe(2);
          await presentable(visit, "dashboard-batch-grouped-faults");
          const { owner } = site.testSite();
          const stop = await owner.post("/kill-switch/", {
            data: {
              type: "kill-switch",
              attributes: { scope: "wallet", reason: "Drill" },
              relationships: { wallet: { data: { type: "wallet", id: wallet } } },
            },
          });
          await page.getByRole("button", { name: "Back" }).first().click();
          const preview = page.getByRole("button", { name: "Preview" });
          await expect.poll(() => preview.isDisabled()).toBe(true);
          await page.getByText("Payouts are stopped", { exact: true }).waitFor();
          await presentable(visit, "dashboard-batch-stopped");
          await owner.ask("POST", `/kill-switch/${stop.id}/release/`);
          await expect.poll(() => preview.isEnabled()).toBe(true);
        }),
      ),
  );

  it("creates a webhook endpoint, shows its secret once and what it was sent", patience, () =>
    withShop(site.testSite(), async (shop) => {
      const visit = await openDashboard(site, "/webhooks");
      const { page } = visit;
      await page.getByRole("button", { name: "New endpoint" }).click();
      const dialog = page.getByRole("dialog", { name: "New webhook endpoint" });
      await dialog.getByRole("textbox", { name: "URL" }).fill(shop.receiver.url);
      await dialog.getByRole("textbox", { name: "Description" }).fill("ERP");
      await presentable(visit, "dashboard-webhook-new");
      await dialog.getByRole("button", { name: "Create endpoint" }).click();
      await page
        .getByText(/^whsec_/)
        .first()
        .waitFor();
      await page.getByRole("table", { name: "Webhook endpoints" }).getByText("ERP").waitFor();
      await presentable(visit, "dashboard-webhooks");
      await page.getByRole("button", { name: `Send test: ${shop.receiver.url}` }).click();
      await expect.poll(() => shop.receiver.received.length).toBe(1);
      await page.getByText("Your endpoint answered 200.").waitFor();
      shop.receiver.answer = answerWith(500);
      await page.getByRole("button", { name: `Send test: ${shop.receiver.url}` }).click();
      await page.getByText(/^Your endpoint answered 500\./).waitFor();
      expect(
        await page
          .getByRole("link", { name: /^Open delivery/ })
          .last()
          .getAttribute("href"),
      ).toMatch(/^\/ui\/webhooks\/deliveries\/\d+$/);
      await presentable(visit, "dashboard-webhook-test-failed");
      await page.getByRole("link", { name: "View", exact: true }).first().click();
      await page.goto("/ui/callbacks?filter[status]=retrying");
      await page.waitForURL(/\/ui\/webhooks\/deliveries\?/);
      const row = page.getByRole("table", { name: "Deliveries" }).locator("tbody tr").first();
      await row.getByText("Retrying").waitFor();
      await presentable(visit, "dashboard-webhook-retrying");
      await row.getByText("Test").first().click();
      // The first attempt is the last in the list; the delivery may have been retried.
      await page.getByText("Request", { exact: true }).last().click();
      await page.getByRole("group", { name: "Request of attempt 1" }).waitFor();
      await presentable(visit, "dashboard-callback-request");
      await page.goto("/ui/webhooks");
      await page.getByRole("button", { name: `Remove: ${shop.receiver.url}` }).click();
      await page.getByRole("button", { name: "Remove endpoint" }).click();
      await page.getByText("No webhook endpoints yet").waitFor();
    }),
  );
});

const fileOf = (...rows: readonly (readonly [address: string, amount: string])[]) =>
  `address,amount,first_name,last_name,street\n${rows.map(([address, amount]) => `${address},"${amount}",Jo,Doe,1 Some Street\n`).join("")}`;

/** Fills in the form and waits for the preview. */
async function upload(page: Page, wallet: string, reference: string, csv: string): Promise<void> {
  const select = (name: string) =>
    page.getByRole("combobox", { name }).or(page.getByRole("textbox", { name })).first();
  await select("From wallet").click();
  await page
    .getByRole("option", { name: new RegExp(`ID ${wallet}\\b`) })
    .or(page.locator(`[role=option][value="${wallet}"]`))
    .first()
    .click();
  await page.getByRole("textbox", { name: "Reference" }).fill(reference);
  await choose(page, csv);
}

/** Chooses the file and waits for its preview. */
async function choose(page: Page, csv: string): Promise<void> {
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "salaries.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  await page.getByRole("button", { name: "Preview" }).click();
  await page
    .getByRole("button", { name: /^(Send|Request approval for) \d+ payout/ })
    .first()
    .waitFor();
}
