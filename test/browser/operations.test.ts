/** What operators of the deployment see, and that pausing payouts on the page stops those of the API until they are resumed. */
import { dirname } from "node:path";
import { expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import { readSandboxFile } from "../../src/sandbox/sandbox-file.ts";
import { fundedWallet, newEvmAddress, openCashier } from "../scenarios/support/cashier.ts";
import { withShop } from "../scenarios/support/shop.ts";
import { describeInBrowser } from "./support/browser-suite.ts";
import { openDashboard } from "./support/open-dashboard.ts";
import { presentable } from "./support/presentable.ts";

const patience = { timeout: 900_000 };

describeInBrowser("the operations of a deployment", (site) => {
  it("are shown live to an operator, with heights that follow the chain", patience, async () => {
    const visit = await openDashboard(site, "/operations");
    const { page } = visit;
    const chains = page.getByRole("table", { name: "Blockchains", exact: true });
    const row = chains.getByRole("row").filter({ hasText: "Bitcoin" });
    await row.getByText("Synced", { exact: true }).waitFor();
    const height = async () => (await row.getByRole("cell").nth(2).innerText()).replaceAll(",", "");
    const { tip, mined } = await site.testSite().onChain("BTC", async (chain) => {
      const before = await chain.tip();
      await expect.poll(height).toBe(String(before.height));
      return { tip: before, mined: await chain.mine(3) };
    });
    expect(mined.height).toBe(tip.height + 3);
    await expect.poll(height).toBe(String(mined.height));
    await page.getByRole("img", { name: /^Bitcoin: All blocks from 0 to/ }).waitFor();
    await page
      .getByRole("table", { name: "Hot wallet balances" })
      .getByText("Gas account, ETH")
      .waitFor();
    await page.getByRole("heading", { level: 2, name: "Reconciliation" }).waitFor();
    await presentable(visit, "dashboard-operations");
  });

  it("reject payouts with 403/3019 while they are paused on the page", patience, () =>
    withShop(site.testSite(), async (shop) => {
      const testSite = site.testSite();
      const { client } = testSite.cashier;
      const cashier = openCashier(testSite, shop, testSite.cashier);
      const wallet = await testSite.onChain("ETH", (chain) =>
        fundedWallet(shop, chain, "ETH", "1"),
      );
      const order = { wallet, alpha: "ETH", amount: "0.01", address: newEvmAddress() };
      const { medium } = await cashier.calculate(order);
      const visit = await openDashboard(site, "/operations");
      const { page } = visit;
      await page.getByRole("button", { name: "Stop payouts" }).click();
      const dialog = page.getByRole("dialog", { name: "Stop payouts" });
      await dialog.getByRole("textbox", { name: "Reason" }).fill("A drill in the page");
      await visit.expectAccessible();
      await visit.shoot("dashboard-stop-payouts");
      await dialog.getByRole("button", { name: "Stop payouts" }).click();
      const on = page.getByRole("table", { name: "Active kill switches" });
      await on.getByText("A drill in the page").waitFor();
      await page
        .getByRole("table", { name: "Blockchains", exact: true })
        .getByText("Stopped")
        .first()
        .waitFor();
      await page.evaluate("scrollTo(0, 0)");
      await visit.shoot("dashboard-operations-stopped");
      const list = await openDashboard(site, "/payouts");
      const create = list.page.getByRole("button", { name: "New payout (payouts are stopped)" });
      await create.first().waitFor();
      expect(await create.first().isDisabled()).toBe(true);
      await list.page.close();
      // The fee was quoted earlier: only the payout is rejected.
      const refused = await cashier.ask({ ...order, attributes: { fee_amount: medium } });
      expect([refused.status, refused.codes]).toEqual([403, ["3019"]]);
      await on.getByRole("button", { name: /^Resume.*All payouts$/ }).click();
      await page.getByRole("button", { name: "Resume payouts" }).click();
      await page.getByText("Payouts are running.").waitFor();
      const paid = await cashier.pay(order);
      expect((await client.get(`/payout/${paid.id}/`)).attributes["status"]).toBe(2);
    }),
  );

  it(
    "say on every page about payouts why they are stopped, until they are resumed",
    patience,
    async () => {
      const visit = await openDashboard(site, "/payouts");
      const { page } = visit;
      await page.getByRole("button", { name: "Stop payouts" }).click();
      const dialog = page.getByRole("dialog", { name: "Stop payouts" });
      await dialog.getByRole("textbox", { name: "Reason" }).fill("Suspicious logins");
      await dialog.getByRole("button", { name: "Stop payouts" }).click();
      const stop = page.getByRole("alert").filter({ hasText: "Reason: Suspicious logins" });
      await stop.getByText("Payouts are stopped").waitFor();
      // The message that confirms it.
      await page.getByText("All payouts", { exact: true }).waitFor();
      await expect.poll(() => page.getByRole("button", { name: "Stop payouts" }).count()).toBe(0);
      expect(await page.getByRole("button", { name: "Resume payouts" }).count()).toBe(1);
      await presentable(visit, "dashboard-payouts-stopped");
      for (const path of ["/", "/batches", "/batches/new"]) {
        await page.goto(`/ui${path}`);
        await stop.getByRole("button", { name: "Resume payouts" }).waitFor();
        expect(await page.getByRole("button", { name: "Resume payouts" }).count()).toBe(1);
      }
      await page.goto("/ui/");
      await page.getByRole("link", { name: /Payout stop/ }).waitFor();
      expect(await page.getByText("You're all caught up.").count()).toBe(0);
      await presentable(visit, "dashboard-overview-stopped");
      const cashier = await openDashboard(site, "/payouts/new", {
        as: site.testSite().cashier.login,
      });
      const seen = cashier.page.getByRole("alert").filter({ hasText: "Suspicious logins" });
      await seen.waitFor();
      const next = cashier.page.getByRole("button", { name: "Continue" });
      await expect.poll(() => next.isEnabled()).toBe(false);
      expect(await seen.getByRole("button").count()).toBe(0);
      await presentable(cashier, "dashboard-new-payout-stopped");
      await page.goto("/ui/payouts");
      await stop.getByRole("button", { name: "Resume payouts" }).click();
      await page
        .getByRole("dialog", { name: "Resume payouts?" })
        .getByRole("button", { name: "Resume payouts" })
        .click();
      await page.getByText("Payouts run again").waitFor();
      await stop.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Stop payouts" }).waitFor();
      await seen.waitFor({ state: "detached" });
      await expect.poll(() => next.isEnabled()).toBe(true);
    },
  );

  it("are hidden from other tenants and from Read only", patience, async () => {
    const stranger = await openDashboard(site, "/operations", { as: site.deployment().other });
    await stranger.page.getByRole("heading", { level: 2, name: "Kill switches" }).waitFor();
    for (const name of [
      "Blockchains",
      "Hot wallet balances",
      "Reconciliation",
      "Payouts in progress",
    ])
      expect(await stranger.page.getByRole("heading", { level: 2, name }).count()).toBe(0);
    await stranger.expectAccessible();
    const { users } = await readSandboxFile(dirname(site.deployment().configFile));
    const reader = present(
      users.find(({ role }) => role === "Read only"),
      "a Read only member",
    );
    const { page, expectAccessible } = await openDashboard(site, "/operations", { as: reader });
    await page.getByText("Only Owners and Admins can view this page.").waitFor();
    const navigation = page.getByRole("navigation", { name: "Main" });
    await navigation.getByRole("link", { name: "Overview" }).waitFor();
    expect(await navigation.getByRole("link", { name: "Operations" }).count()).toBe(0);
    await expectAccessible();
  });
});
