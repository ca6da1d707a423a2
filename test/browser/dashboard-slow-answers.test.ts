/**
 * The dashboard while responses are delayed: an action requested twice is done once, a dialog belongs to what is shown, and input
 * is kept.
 */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { addressOf, depositStatus, type Shop, withShop } from "../scenarios/support/shop.ts";
import { describeInBrowser } from "./support/browser-suite.ts";
import {
  holdRequests,
  isFocused,
  openDashboard,
  pressTwice,
  whoLooksIsKnown,
} from "./support/open-dashboard.ts";

const patience = { timeout: 900_000 };
const h1 = { level: 1 } as const;

describeInBrowser("a dashboard whose answers are slow", (site) => {
  it(
    "performs an action once when its button is pressed twice, and keeps its dialog until then",
    patience,
    () =>
      withShop(site.testSite(), async (shop) => {
        const deposit = await invoice(shop, "Twice");
        const { page } = await openDashboard(site, `/deposits/${deposit.id}`);
        await page.getByRole("button", { name: "Cancel deposit" }).click();
        const dialog = page.getByRole("dialog");
        const button = dialog.getByRole("button", { name: "Cancel deposit" });
        await button.waitFor();
        const canceling = await holdRequests(page, ({ pathname }) => pathname.endsWith("/cancel/"));
        await pressTwice(button);
        await expect.poll(() => canceling.count()).toBe(1);
        await expect
          .poll(() => dialog.getByRole("button", { name: "Keep deposit" }).isDisabled())
          .toBe(true);
        await page.keyboard.press("Escape");
        await drawn(page);
        expect(await dialog.count()).toBe(1);
        canceling.letThrough();
        await dialog.waitFor({ state: "detached" });
        await page
          .getByRole("status")
          .filter({ hasText: /^Canceled$/ })
          .waitFor();
        expect(canceling.count()).toBe(1);
      }),
  );

  it("shows no balance before wallets and prices are loaded", patience, () =>
    withShop(site.testSite(), async () => {
      const { page } = await openDashboard(site, "/deposits");
      for (const held of ["/wallet/", "/rates/", "/currency/"]) {
        const answers = await holdRequests(page, ({ pathname }) => pathname === held);
        await page.goto("/ui/");
        const figure = page.locator(".mantine-Card-root", { hasText: "Balances" });
        await figure.locator("[aria-busy='true']").waitFor();
        expect(await figure.textContent()).toBe("BalancesAll wallets, at current prices");
        answers.letThrough();
        await figure.getByText("USD").waitFor();
        await page.unrouteAll({ behavior: "wait" });
      }
    }),
  );

  it("closes a dialog when another deposit is shown", patience, () =>
    withShop(site.testSite(), async (shop) => {
      const [one, other] = [await invoice(shop, "The first"), await invoice(shop, "The second")];
      const { page } = await openDashboard(site, `/deposits/${one.id}`);
      await page.getByRole("heading", { ...h1, name: "The first" }).waitFor();
      await page.getByRole("button", { name: "Search" }).click();
      await page.getByRole("dialog").getByRole("searchbox").fill("The second");
      await page.getByRole("link", { name: `Deposit ${other.id}` }).click();
      await page.getByRole("heading", { ...h1, name: "The second" }).waitFor();
      await page.getByRole("button", { name: "Edit" }).click();
      await page.getByRole("dialog").getByRole("textbox", { name: "Label" }).fill("Not this one");
      await page.goBack();
      await page.getByRole("heading", { ...h1, name: "The first" }).waitFor();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Edit" }).click();
      const label = page.getByRole("dialog").getByRole("textbox", { name: "Label" });
      await expect.poll(() => label.inputValue()).toBe("The first");
    }),
  );

  it("opens the best result on Enter, once it belongs to what was typed", patience, () =>
    withShop(site.testSite(), async (shop) => {
      const [, wanted] = [await invoice(shop, "Not wanted"), await invoice(shop, "Wanted now")];
      const { page } = await openDashboard(site, "/");
      await page.getByRole("button", { name: "Search" }).click();
      const box = page.getByRole("dialog").getByRole("searchbox");
      await box.fill("Not wanted");
      await page.getByRole("link", { name: "Deposit" }).first().waitFor();
      const searching = await holdRequests(page, ({ pathname }) => pathname === "/search/");
      await box.fill("Wanted now");
      await page.keyboard.press("Enter");
      await expect.poll(() => searching.count()).toBe(1);
      expect(new URL(page.url()).pathname).toBe("/ui/");
      searching.letThrough();
      await page.getByRole("heading", { ...h1, name: "Wanted now" }).waitFor();
      expect(new URL(page.url()).pathname).toBe(`/ui/deposits/${wanted.id}`);
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }),
  );

  it("returns the focus to the button of each dialog on Escape", patience, () =>
    withShop(site.testSite(), async (shop) => {
      const deposit = await invoice(shop, "Focus");
      const { page } = await openDashboard(site, `/deposits/${deposit.id}`);
      const buttons = [
        [`/deposits/${deposit.id}`, ["Edit", "Cancel deposit", "Search"]],
        ["/wallets", ["New wallet"]],
        ["/beneficiaries", ["New beneficiary"]],
        ["/webhooks/deliveries", ["Send test"]],
        ["/credentials", ["Create API key"]],
        ["/operations", ["Stop payouts"]],
      ] as const;
      for (const [path, names] of buttons) {
        await page.goto(`/ui${path}`);
        await whoLooksIsKnown(page);
        for (const name of names) {
          const button = page.getByRole("button", { name }).first();
          await button.click();
          await page.getByRole("dialog").waitFor();
          await page.keyboard.press("Escape");
          await page.getByRole("dialog").waitFor({ state: "detached" });
          await expect.poll(async () => [name, await isFocused(button)]).toEqual([name, true]);
        }
      }
    }),
  );

  it("says on every page that it is offline, and recovers", patience, async () => {
    const visit = await openDashboard(site, "/wallets");
    visit.expectErrors(/ERR_INTERNET_DISCONNECTED|Failed to fetch/);
    const { page, context } = visit;
    await page.getByRole("table", { name: "Wallets" }).waitFor();
    await context.setOffline(true);
    await page.getByText("You're offline").waitFor();
    for (const name of ["Payouts", "Currencies"]) {
      await page
        .getByRole("navigation", { name: "Main" })
        .getByRole("link", { name, exact: true })
        .click();
      await page.getByText("You're offline").waitFor();
    }
    await visit.shoot("dashboard-offline");
    await visit.expectAccessible();
    await context.setOffline(false);
    await page.getByText("You're offline").waitFor({ state: "detached" });
    await page.getByRole("heading", { ...h1, name: "Currencies" }).waitFor();
    await page.getByRole("table", { name: "Currencies" }).waitFor();
  });

  it("offers the simulator to those who may use it only", patience, async () => {
    const { page } = await openDashboard(site, "/", { as: site.testSite().clerk.login });
    await whoLooksIsKnown(page);
    const link = page.getByRole("navigation", { name: "Main" }).getByText("Simulator");
    expect(await link.count()).toBe(0);
    const owner = await openDashboard(site, "/");
    await owner.page
      .getByRole("navigation", { name: "Main" })
      .getByText("Simulator")
      .waitFor({ state: "attached" });
  });

  it("takes a refund address while the one that the payer left is still loading", patience, () =>
    withShop(site.testSite(), async (shop) => {
      const deposit = await invoice(shop, "Slow payer");
      await unresolve(shop, deposit.id);
      const { page } = await openDashboard(site, `/deposits/${deposit.id}`);
      const payer = await holdRequests(page, ({ pathname }) => pathname.endsWith("/payer/"));
      await page.getByRole("button", { name: "Accept or refund" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("radio", { name: "Refund in full" }).check();
      const address = dialog.getByRole("textbox", { name: "Refund address" });
      await address.fill("an address");
      expect(payer.count()).toBe(1);
      payer.letThrough();
      await drawn(page);
      expect(await address.inputValue()).toBe("an address");
    }),
  );

  it(
    "applies all filters set in quick succession, and clears what was just typed",
    patience,
    async () => {
      const { page } = await openDashboard(site, "/deposits?filter[tracking_id]=none");
      const filters = () =>
        [...new URL(page.url()).searchParams].map(([name, value]) => `${name}=${value}`);
      const wallet = page.getByLabel("Wallet", { exact: true });
      await expect.poll(() => wallet.locator("option").count()).toBeGreaterThan(1);
      const chosen = await wallet.locator("option").last().getAttribute("value");
      // The second is set before the page was drawn with the first.
      await page.evaluate(`(() => {
      const choose = (label, value) => {
        const name = [...document.querySelectorAll("main label")].find(({ textContent }) => textContent === label);
        const field = document.getElementById(name.htmlFor);
        field.value = value;
        field.dispatchEvent(new Event("change", { bubbles: true }));
      };
      choose("Status", "paid");
      choose("Wallet", ${JSON.stringify(chosen)});
    })()`);
      await expect
        .poll(filters)
        .toEqual(expect.arrayContaining(["filter[state]=paid", `filter[wallet]=${chosen ?? ""}`]));
      await page.getByRole("button", { name: "Clear" }).waitFor();
      await page.evaluate(`(async () => {
        const field = document.querySelector("main input[type=search]");
        const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
        write.call(field, "too late");
        field.dispatchEvent(new Event("input", { bubbles: true }));
        const named = ({ textContent }) => textContent === "Clear";
        [...document.querySelectorAll("main button")].find(named).click();
        // Longer than the pause after which what was typed is passed on.
        await new Promise((resolve) => setTimeout(resolve, 1_000));
      })()`);
      await expect.poll(filters).toEqual([]);
      expect(await page.getByRole("searchbox").inputValue()).toBe("");
    },
  );

  it("keeps the links of a table when prices change", patience, async () => {
    const { page } = await openDashboard(site, "/wallets");
    const row = page.getByRole("table", { name: "Wallets" }).locator("tbody tr").first();
    // The wallet's own balance may be in that currency too; its value comes last.
    await row.getByText(/USD/).last().waitFor();
    await page.evaluate(`document.querySelector("main tbody a").isTheSame = true`);
    await page.getByLabel("Show in").selectOption("EUR");
    await row.getByText(/EUR/).last().waitFor();
    expect(await page.evaluate(`document.querySelector("main tbody a").isTheSame`)).toBe(true);
  });

  it("reports a failed request, and repeats it automatically", patience, async () => {
    const visit = await openDashboard(site, "/deposits");
    visit.expectErrors(/500/);
    const { page } = visit;
    const wallets = ({ pathname }: URL) => pathname === "/wallet/";
    await page.route(wallets, (route) => route.fulfill({ status: 500, body: "out of order" }));
    for (const [place, button] of [
      ["deposits", "Create deposit"],
      ["payouts", "Continue"],
    ] as const) {
      await page.goto(`/ui/${place}/new`);
      const main = page.getByRole("main");
      await main.getByRole("alert").filter({ hasText: "Request failed" }).waitFor();
      expect(await page.getByText("Create a wallet first").count()).toBe(0);
      await page.unroute(wallets);
      await page.getByRole("button", { name: button }).waitFor();
      await page.route(wallets, (route) => route.fulfill({ status: 500, body: "out of order" }));
    }
  });

  it("shows no missing permission before the role is known", patience, async () => {
    const { page } = await openDashboard(site, "/deposits");
    const reading = await holdRequests(page, ({ pathname }) => pathname === "/me/");
    await page.goto("/ui/deposits/new");
    await page.getByRole("button", { name: "Create deposit" }).waitFor();
    await expect.poll(() => reading.count()).toBeGreaterThan(0);
    expect(await page.getByText("Your role can't create deposits.").count()).toBe(0);
    reading.letThrough();
    await whoLooksIsKnown(page);
    expect(await page.getByText("Your role can't create deposits.").count()).toBe(0);
  });

  it("shows nothing of an ended session to the next user", patience, async () => {
    const visit = await openDashboard(site, "/deposits");
    visit.expectErrors(/401/);
    const { page, context } = visit;
    await whoLooksIsKnown(page);
    const account = () => page.getByRole("menu").innerText();
    await page.getByRole("button", { name: "Your account" }).click();
    const before = await account();
    await page.keyboard.press("Escape");
    // The service ends the session: both its cookie and its token become invalid.
    await context.clearCookies();
    const everything = ({ pathname }: URL) => pathname === "/deposit/";
    await page.route(everything, (route) =>
      route.fulfill({
        status: 401,
        contentType: "application/vnd.api+json",
        body: JSON.stringify({
          errors: [{ status: "401", code: "not_authenticated", title: "Ended", detail: "Ended." }],
        }),
      }),
    );
    await page
      .getByRole("table", { name: "Deposits" })
      .getByRole("button", { name: "Created" })
      .click();
    await page.getByRole("heading", { ...h1, name: "Sign in" }).waitFor();
    await page.unroute(everything);
    const { login, password } = await site.testSite().personOf(site.deployment().other);
    await page.getByRole("textbox", { name: "Login" }).fill(login);
    await page.getByRole("textbox", { name: "Password" }).fill(password);
    await site.untilSignInAllowed();
    // The new user is unknown until loaded: the menu must not show the previous one.
    const me = await holdRequests(page, ({ pathname }) => pathname === "/me/");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("button", { name: "Your account" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).waitFor();
    expect(await account()).not.toBe(before);
    me.letThrough();
    await whoLooksIsKnown(page);
  });

  async function unresolve(shop: Shop, id: string): Promise<void> {
    await site.testSite().onChain("LTC", async (chain) => {
      await chain.pay("LTC", addressOf(await shop.client.get(`/deposit/${id}/`)), "5");
      await chain.mine(8);
    });
    await expect
      .poll(async () => (await shop.client.get(`/deposit/${id}/`)).attributes["status"])
      .toBe(depositStatus.unresolved);
  }
});

async function invoice(shop: Shop, label: string) {
  const wallet = await shop.wallet("merchant", "USD");
  return shop.deposit(wallet, { label, target_amount_requested: "40" }, "LTC");
}

/** Resolves when the page has drawn the responses it was waiting for. */
async function drawn(page: Page): Promise<void> {
  await page.evaluate(
    "new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(resolve), 50)))",
  );
}
