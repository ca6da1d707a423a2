import { beforeAll, expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import { addressOf, depositStatus, withShop } from "../scenarios/support/shop.ts";
import type { TestSite } from "../scenarios/support/test-site.ts";
import { describeInBrowser } from "./support/browser-suite.ts";
import { openDashboard, whoLooksIsKnown } from "./support/open-dashboard.ts";
import type { Visit } from "./support/visit.ts";

/*
 * Every page, on each device and color scheme: no axe violations, no console errors, nothing wider than the window, and no label
 * of a choice cut off.
 */

const appearances = [
  { device: "desktop", scheme: "light" },
  { device: "desktop", scheme: "dark" },
  { device: "tablet", scheme: "light" },
  { device: "phone", scheme: "light" },
  { device: "phone", scheme: "dark" },
] as const;

/** Pages that the navigation does not name; `ID` stands for the newest object of the list before it. */
const inner = [
  "/deposits/new",
  "/deposits/ID",
  "/payouts/new",
  "/payouts/approvals",
  "/transfers/ID",
  "/wallets/ID",
  "/callbacks?filter[status]=exhausted",
  "/profile",
];

describeInBrowser("every page of the dashboard", (site) => {
  beforeAll(() => doSomeBusiness(site.testSite()), 240_000);

  it.each(appearances)("$device, $scheme", { timeout: 240_000 }, async (appearance) => {
    const visit = await openDashboard(site, "/", appearance);
    const { page } = visit;
    const links = page.getByRole("navigation", { name: "Main" }).locator("a");
    await whoLooksIsKnown(page);
    const places = await page.evaluate<readonly string[]>(
      `[...document.querySelectorAll("nav a")].map((link) => link.pathname)`,
    );
    const names = await links.allTextContents();
    expect(names).toContain("Deposits");
    for (const [index, place] of places.entries()) {
      await page.goto(place);
      await page.locator("main :is(table, section, .mantine-Card-root)").first().waitFor();
      await expectPresentable(visit, names[index]?.toLowerCase().replaceAll(" ", "-") ?? "");
    }
  });

  it.each(appearances.filter(({ scheme }) => scheme === "light"))(
    "inner pages: $device",
    { timeout: 240_000 },
    async (appearance) => {
      const visit = await openDashboard(site, "/", appearance);
      for (const path of inner) {
        const [list = ""] = path.split("ID");
        const id = path.includes("ID") ? await newestOf(site.testSite(), list) : "";
        await visit.page.goto(`/ui${path.replace("ID", id)}`);
        await expectPresentable(visit, `inner${path.replaceAll(/\W+/g, "-")}`);
      }
      // A page outside of the frame, for addresses that do not exist.
      await visit.page.goto("/ui/nowhere");
      await visit.page.getByRole("heading", { level: 1 }).waitFor();
      await visit.expectAccessible();
    },
  );

  async function newestOf({ owner }: TestSite, list: string): Promise<string> {
    const [newest] = await owner.list(list.replace("s/", "/"));
    return present(newest, `an object of ${list}`).id;
  }
});

async function expectPresentable(visit: Visit, name: string): Promise<void> {
  const { page, shoot, expectAccessible } = visit;
  await page.getByRole("heading", { level: 1 }).waitFor();
  const unread = page.locator("[aria-busy='true'], .mantine-Skeleton-root:visible");
  await whoLooksIsKnown(page);
  await expect.poll(() => unread.count()).toBe(0);
  await shoot(`dashboard-page-${name}`);
  await expectAccessible();
  await expect.poll(() => page.title()).toMatch(/ · Sluice$/);
  await expect.poll(async () => [name, await page.evaluate(isTooWide)]).toEqual([name, false]);
  await expect.poll(async () => [name, await page.evaluate(clippedLabels)]).toEqual([name, []]);
}

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

const clippedLabels = `[...document.querySelectorAll("[role=tab], .mantine-SegmentedControl-innerLabel")]
  .filter((label) => label.scrollWidth > label.clientWidth && label.clientWidth > 0)
  .map((label) => label.textContent)`;
const isTooWide = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
