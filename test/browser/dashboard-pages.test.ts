import { beforeAll, expect, it } from "vitest";
import { addressOf, depositStatus, withShop } from "../scenarios/support/shop.ts";
import type { TestSite } from "../scenarios/support/test-site.ts";
import { describeInBrowser } from "./support/browser-suite.ts";
import { openDashboard, whoLooksIsKnown } from "./support/open-dashboard.ts";

/*
 * Every page of the navigation, on each device and color scheme: no axe violations, no console errors, nothing wider than the
 * window.
 */

const appearances = [
  { device: "desktop", scheme: "light" },
  { device: "desktop", scheme: "dark" },
  { device: "phone", scheme: "light" },
  { device: "phone", scheme: "dark" },
] as const;

describeInBrowser("every page of the dashboard", (site) => {
  beforeAll(() => doSomeBusiness(site.testSite()), 240_000);

  it.each(appearances)("$device, $scheme", { timeout: 240_000 }, async (appearance) => {
    const { page, shoot, expectAccessible } = await openDashboard(site, "/", appearance);
    const links = page.getByRole("navigation", { name: "Main" }).locator("a");
    await page.getByRole("navigation").getByText("Simulator").waitFor({ state: "attached" });
    const places = await page.evaluate<readonly string[]>(
      `[...document.querySelectorAll("nav a")].map((link) => link.pathname)`,
    );
    const names = await links.allTextContents();
    expect(names).toContain("Deposits");
    for (const [index, place] of places.entries()) {
      await page.goto(place);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.locator("main :is(table, section, .mantine-Card-root)").first().waitFor();
      const unread = page.locator("[aria-busy='true'], .mantine-Skeleton-root:visible");
      await whoLooksIsKnown(page);
      await expect.poll(() => unread.count()).toBe(0);
      const name = names[index]?.toLowerCase().replaceAll(" ", "-") ?? "";
      await shoot(`dashboard-page-${name}`);
      await expectAccessible();
      await expect.poll(() => page.title()).toMatch(/ · Sluice$/);
      await expect.poll(async () => [name, await page.evaluate(isTooWide)]).toEqual([name, false]);
    }
  });
});

/** So that the pages have something to show: payments in three coins, and one on hold. */
function doSomeBusiness(site: TestSite): Promise<void> {
  const orders = [
    { coin: "BTC", amounts: ["0.021", "0.0075"], wallet: "enterprise", blocks: 3 },
    { coin: "LTC", amounts: ["14.2", "3.5"], wallet: "enterprise", blocks: 8 },
    { coin: "ETH", amounts: ["0.42", "1.1"], wallet: "enterprise", blocks: 14 },
  ] as const;
  return withShop(site, async (shop) => {
    for (const { coin, amounts, wallet, blocks } of orders) {
      const id = await shop.wallet(wallet, coin);
      await site.onChain(coin, async (chain) => {
        for (const amount of amounts) {
          const deposit = await shop.deposit(id, { label: `Order of ${amount} ${coin}` });
          await chain.pay(coin, addressOf(deposit), amount);
        }
        await chain.mine(blocks);
      });
    }
    const invoice = await shop.deposit(
      await shop.wallet("merchant", "USD"),
      { label: "Chair", target_amount_requested: "40" },
      "LTC",
    );
    await site.onChain("LTC", async (chain) => {
      await chain.pay("LTC", addressOf(invoice), "2");
      await chain.mine(8);
    });
    await shop.expectDeposit(invoice, { status: depositStatus.unresolved });
  });
}

const isTooWide = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
