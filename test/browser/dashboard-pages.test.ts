import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import { addressOf, depositStatus, withShop } from "../scenarios/support/shop.ts";
import type { TestSite } from "../scenarios/support/test-site.ts";
import { describeInBrowser } from "./support/browser-suite.ts";
import { languages, leftovers } from "./support/leftovers.ts";
import { openDashboard, whoLooksIsKnown } from "./support/open-dashboard.ts";
import type { Visit } from "./support/visit.ts";

/*
 * Every page, on each device, in each color scheme and language: no axe violations, no English left over, no console errors, nothing wider than the window, and no label
 * of a choice cut off.
 */

/** Narrow windows show the other languages, whose texts are longer. */
const appearances = [
  { device: "desktop", scheme: "light", language: "en" },
  { device: "desktop", scheme: "dark", language: "en" },
  { device: "tablet", scheme: "light", language: "es" },
  { device: "phone", scheme: "light", language: "de" },
  { device: "phone", scheme: "dark", language: "zh" },
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
  beforeAll(() => doSomeBusiness(site.testSite()), 900_000);

  it.each(appearances)(
    "$device, $scheme, $language",
    { timeout: 900_000 },
    async ({ language, ...look }) => {
      const visit = await openDashboard(site, "/", look);
      const { page } = visit;
      const english = await speak(page, language);
      const places = await page.evaluate<readonly string[]>(
        `[...document.querySelectorAll("nav a")].map((link) => link.pathname)`,
      );
      expect(places).toContain("/ui/deposits");
      const found: unknown[] = [];
      for (const place of places) {
        await page.goto(place);
        await page.locator("main :is(table, section, .mantine-Card-root)").first().waitFor();
        const name = place.replaceAll(/^\/ui\/|\W+$/g, "").replaceAll(/\W+/g, "-");
        await expectPresentable(visit, name === "" ? "overview" : name);
        found.push(...(await english()).map((text) => [place, text]));
      }
      expect(found).toEqual([]);
    },
  );

  it("speaks the browser's language until another is chosen, also before the sign-in", async () => {
    const { page } = await site.open("/ui/login", { device: "phone", locale: "es-MX" });
    await page.getByRole("heading", { name: "Iniciar sesión en Sluice" }).waitFor();
    await page.getByRole("button", { name: "Idioma" }).click();
    await page.getByRole("menuitem", { name: "Deutsch" }).click();
    await page.getByRole("heading", { name: "Bei Sluice anmelden" }).waitFor();
    await page.getByLabel("Passwort anzeigen oder verbergen").waitFor();
    await page.goto("/ui/forgot-password");
    await page.getByRole("heading", { name: "Passwort vergessen" }).waitFor();
  });

  it("names browsers and fiat currencies in the language of the page", async () => {
    const { page } = await openDashboard(site, "/profile");
    await speak(page, "de");
    await page.goto("/ui/profile");
    await page
      .getByText(/^\w+ \d+ unter \w+$/)
      .first()
      .waitFor();
    await page.goto("/ui/currencies?filter[alpha]=CHF");
    await page.getByText("Schweizer Franken").waitFor();
  });

  it.each(appearances.filter(({ scheme }) => scheme === "light"))(
    "inner pages: $device",
    { timeout: 900_000 },
    async ({ device, scheme }) => {
      const visit = await openDashboard(site, "/", { device, scheme });
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

/** Chooses the language in the profile, and returns a function that finds the texts of a page which are still English. */
async function speak(
  page: Page,
  language: (typeof appearances)[number]["language"],
): Promise<() => Promise<readonly string[]>> {
  await whoLooksIsKnown(page);
  const texts = languages.get(language);
  if (texts === undefined) return () => Promise.resolve([]);
  await page.goto("/ui/profile");
  await page.locator("main select").first().selectOption(language);
  await page.locator(`html[lang|=${language}]`).waitFor({ state: "attached" });
  await whoLooksIsKnown(page);
  return () => leftovers(page, texts);
}

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
