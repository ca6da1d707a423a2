import { beforeAll, expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import { addressOf, depositStatus, withShop } from "../scenarios/support/shop.ts";
import type { TestSite } from "../scenarios/support/test-site.ts";
import { describeInBrowser } from "./support/browser-suite.ts";
import { languages, leftovers } from "./support/leftovers.ts";
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

  it("all pages in each language on a phone", { timeout: 480_000 }, async () => {
    const visit = await site.open("/ui/login", { device: "phone", locale: "es-MX" });
    const { page, shoot, expectAccessible } = visit;
    // The browser's preference, until another language is chosen.
    await page.getByRole("heading", { name: "Iniciar sesión en Sluice" }).waitFor();
    await page.getByRole("button", { name: "Idioma" }).click();
    await page.getByRole("menuitem", { name: "Deutsch" }).click();
    await page.getByRole("heading", { name: "Bei Sluice anmelden" }).waitFor();
    await page.goto("/ui/forgot-password");
    await page.getByRole("heading", { name: "Passwort vergessen" }).waitFor();
    await page.goto("/ui/login");
    const { login, password } = site.deployment().owner.dashboard;
    await page.getByRole("textbox", { name: "Login" }).fill(login);
    await page.getByRole("textbox", { name: "Passwort" }).fill(password);
    await site.untilSignInAllowed();
    await page.getByRole("button", { name: "Anmelden", exact: true }).click();
    const known = page.locator('nav[aria-busy="false"]');
    await known.waitFor({ state: "attached" });
    const places = await page.evaluate<readonly string[]>(
      `[...document.querySelectorAll("nav a")].map((link) => link.pathname)`,
    );
    const deposit = await newestOf(site.testSite(), "/deposits/");
    const inside = ["new", deposit].map((end) => `/ui/deposits/${end}`);
    const english: unknown[] = [];
    for (const [code, texts] of languages) {
      await page.goto("/ui/profile");
      await page.locator("main select").first().selectOption(code);
      await page.locator(`html[lang|=${code}]`).waitFor({ state: "attached" });
      const some = ["/ui/", ...inside, "/ui/payouts/new", "/ui/profile"];
      // German has the longest texts; axe sees no more in the other languages.
      for (const place of code === "de" ? [...places, ...some] : some) {
        await page.goto(place);
        await known.waitFor({ state: "attached" });
        await page.locator("main :is(table, section, form, .mantine-Card-root)").first().waitFor();
        await expect.poll(() => page.locator(".mantine-Skeleton-root:visible").count()).toBe(0);
        await shoot(`language-${code}${place.replaceAll(/\W+/g, "-")}`);
        const found = await leftovers(page, texts);
        if (found.length > 0) english.push([code, place, found]);
        await expect
          .poll(async () => [place, await page.evaluate(isTooWide)])
          .toEqual([place, false]);
        if (code === "de") await expectAccessible();
      }
    }
    expect(english).toEqual([]);
  });

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
