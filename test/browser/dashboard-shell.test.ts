import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { describeInBrowser } from "./support/browser-suite.ts";
import { holdRequests, openDashboard } from "./support/open-dashboard.ts";

/* What all pages of the dashboard have in common: sign-in, navigation, lists, color schemes, small screens. */

const deposits = 30;
const h1 = { level: 1 } as const;

describeInBrowser("the dashboard's shell", (site) => {
  beforeAll(async () => {
    const { owner } = site.testSite();
    const wallets = await owner.list("/wallet/?filter[type]=2&filter[currency]=1002");
    for (let number = 1; number <= deposits; number += 1) {
      await owner.post("/deposit/", {
        data: {
          type: "deposit",
          attributes: {
            label: number === 7 ? '=SUM("A1")' : `Order ${number}`,
            ...(number === 3 ? { tracking_id: "A-1001" } : {}),
          },
          relationships: { wallet: { data: { type: "wallet", id: wallets[0]?.id ?? "" } } },
        },
      });
    }
  });

  it("asks for sign-in, and then shows the requested page", async () => {
    const { page, expectAccessible, shoot, expectErrors } =
      await site.open("/ui/deposits?sort=label");
    expectErrors(/401/);
    await page.getByRole("heading", { ...h1, name: "Sign in" }).waitFor();
    await expectAccessible();
    await shoot("dashboard-sign-in");
    const { login, password } = site.deployment().owner.dashboard;
    await page.getByRole("textbox", { name: "Login" }).fill(login);
    await page.getByRole("textbox", { name: "Password" }).fill("something else");
    await site.untilSignInAllowed();
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").waitFor();
    await expectAccessible();
    await page.getByRole("textbox", { name: "Password" }).fill(password);
    await site.untilSignInAllowed();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { ...h1, name: "Deposits" }).waitFor();
    expect(page.url()).toBe(`${site.origin()}/ui/deposits?sort=label`);
  });

  it("continues a session after a reload, and ends it permanently", async () => {
    const { page, expectErrors } = await openDashboard(site, "/deposits");
    await page.reload();
    await page.getByRole("heading", { ...h1, name: "Deposits" }).waitFor();
    await page.getByRole("button", { name: "Your account" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { ...h1, name: "Sign in" }).waitFor();
    await page.evaluate("localStorage.setItem('sluice-session', 'open')");
    expectErrors(/401/);
    await page.goto("/ui/deposits");
    await page.getByRole("heading", { ...h1, name: "Sign in" }).waitFor();
  });

  it("signs out on the profile page, and asks the service nothing that it would refuse", async () => {
    const { page } = await openDashboard(site, "/profile");
    await page.getByRole("list", { name: "Active sessions" }).waitFor();
    const refused: string[] = [];
    page.on("response", (response) => {
      if (response.status() === 401) refused.push(response.url());
    });
    // The answer takes its time: nothing may be refreshed in the meantime with the session that ends.
    const held = await holdRequests(page, (url) => url.pathname === "/session/logout/");
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect.poll(held.count).toBe(1);
    // The tab is shown again, which refreshes what it shows.
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    held.letThrough();
    await page.getByRole("heading", { ...h1, name: "Sign in" }).waitFor();
    await page.waitForLoadState("networkidle");
    expect(refused).toEqual([]);
    await page.goto("/ui/deposits");
    await page.getByRole("heading", { ...h1, name: "Sign in" }).waitFor();
    expect(refused).toEqual([]);
  });

  it("says when a sign-out did not reach the service, and tries again", async () => {
    const { page, expectErrors, expectAccessible } = await openDashboard(site, "/deposits");
    await page.route("**/session/logout/", (route) => route.abort());
    expectErrors(/ERR_FAILED/);
    await page.getByRole("button", { name: "Your account" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByText("You are still signed in").waitFor();
    await page.getByRole("heading", { ...h1, name: "Deposits" }).waitFor();
    await expectAccessible();
    await page.unroute("**/session/logout/");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { ...h1, name: "Sign in" }).waitFor();
    expect(await page.getByText("You are still signed in").count()).toBe(0);
  });

  it("can be used with the keyboard alone", async () => {
    const { page } = await openDashboard(site, "/");
    await page.reload();
    await page.getByRole("heading", h1).waitFor();
    await page.keyboard.press("Tab");
    await expect.poll(() => focused(page)).toBe("Skip to content");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("main");
    const link = page.getByRole("link", { name: "Deposits", exact: true });
    await link.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { ...h1, name: "Deposits" }).waitFor();
    await expect.poll(() => page.title()).toBe("Deposits · Sluice");
    await expect.poll(() => link.getAttribute("aria-current")).toBe("page");
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("main");
  });

  it("shows a list with the page, filters and order of its address", async () => {
    const { page, expectAccessible, shoot } = await openDashboard(site, "/deposits");
    const table = page.getByRole("table", { name: "Deposits" });
    const rows = table.locator("tbody tr");
    await expect.poll(() => rows.count()).toBe(25);
    await expectAccessible();
    await shoot("dashboard-deposits");
    await page.getByRole("button", { name: "Next" }).click();
    await expect.poll(() => rows.count()).toBe(deposits - 25);
    await page.getByRole("button", { name: "Previous" }).click();
    await expect.poll(() => rows.count()).toBe(25);
    await table.getByRole("button", { name: "Created" }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get("sort")).not.toBeNull();
    await page.getByRole("button", { name: "Filters" }).click();
    await page.getByLabel("Status").selectOption("Paid");
    await page.getByText("No results. Change or clear the filters.").waitFor();
    expect(new URL(page.url()).searchParams.get("filter[state]")).toBe("paid");
    await expectAccessible();
    // An empty list of Paid deposits does not mean that there is no deposit: this document never loaded the others.
    await page.reload();
    await page.getByText("No results. Change or clear the filters.").waitFor();
    const list = await holdRequests(page, ({ pathname }) => pathname === "/deposit/");
    await page.getByRole("button", { name: "Clear" }).click();
    await page.locator("table[aria-label='Deposits'][aria-busy='true']").waitFor();
    expect(await page.getByText("No deposits yet").count()).toBe(0);
    list.letThrough();
    await expect.poll(() => rows.count()).toBe(25);
    const search = page.getByRole("searchbox");
    await search.pressSequentially("Order 12", { delay: 60 });
    await expect.poll(() => rows.count()).toBe(1);
    expect(await search.inputValue()).toBe("Order 12");
    expect(await page.evaluate("document.activeElement.type")).toBe("search");
    await search.fill("a-1001");
    await rows.getByText("A-1001", { exact: true }).waitFor();
    expect(await rows.count()).toBe(1);
    await search.fill("A-1002");
    await page.getByText("No results. Change or clear the filters.").waitFor();
  });

  it("exports a list as a file that a spreadsheet reads as text", async () => {
    const { page } = await openDashboard(site, "/deposits");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export CSV" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("deposits.csv");
    const text = await readFile(await download.path(), "utf8");
    const lines = text.trimEnd().split("\r\n");
    expect(lines).toHaveLength(deposits + 1);
    expect(lines[0]).toMatch(/^\uFEFF/);
    expect(text).toContain(`"'=SUM(""A1"")"`);
  });

  it("finds objects by name from every page", async () => {
    const { page, expectAccessible, shoot } = await openDashboard(site, "/");
    await page.keyboard.press("/");
    const dialog = page.getByRole("dialog", { name: "Search" });
    await dialog.getByRole("searchbox").fill("Order 1");
    await dialog.getByText("10 results").waitFor();
    await expectAccessible();
    await shoot("dashboard-search");
    // Earlier hits stay visible, but cannot be opened.
    const searches = await holdRequests(page, ({ pathname }) => pathname === "/search/");
    await dialog.getByRole("searchbox").fill("Order 17");
    await dialog.locator("ul[inert]").waitFor();
    await expect.poll(() => searches.count()).toBeGreaterThan(0);
    expect(await dialog.getByText("10 results").count()).toBe(0);
    searches.letThrough();
    await dialog.getByText("1 result").waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { ...h1, name: "Order 17" }).waitFor();
    await dialog.waitFor({ state: "detached" });
  });

  it("follows the system's color scheme unless another was selected", async () => {
    const { page, expectAccessible, shoot } = await openDashboard(site, "/deposits", {
      scheme: "dark",
    });
    const scheme = () => page.locator("html").getAttribute("data-mantine-color-scheme");
    await expect.poll(scheme).toBe("dark");
    await page.getByRole("table").locator("tbody a").first().waitFor();
    await expectAccessible();
    await shoot("dashboard-deposits");
    await page.getByRole("button", { name: /^Theme/ }).click();
    await page.getByRole("menuitem", { name: "Light" }).click();
    await expect.poll(scheme).toBe("light");
    await page.reload();
    await page.getByRole("heading", h1).waitFor();
    await expect.poll(scheme).toBe("light");
  });

  it.each(["light", "dark"] as const)("fits a phone in %s mode", async (scheme) => {
    const { page, expectAccessible, shoot } = await openDashboard(site, "/deposits", {
      device: "phone",
      scheme,
    });
    await page.getByRole("table").locator("tbody a").first().waitFor();
    await expectAccessible();
    await shoot("dashboard-deposits");
    const isWider = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
    await expect.poll(() => page.evaluate(isWider)).toBe(false);
    await page.getByRole("button", { name: "Open navigation" }).click();
    const link = page.getByRole("link", { name: "Overview" });
    await link.waitFor();
    await expectAccessible();
    await shoot("dashboard-navigation");
    await link.click();
    await page.getByRole("heading", { ...h1, name: "Overview" }).waitFor();
    await page.getByRole("button", { name: "Open navigation" }).waitFor();
  });

  it("reports a missing page and a missing object", async () => {
    const { page, expectAccessible, expectErrors } = await openDashboard(site, "/deposits");
    expectErrors(/404/);
    await page.goto("/ui/deposits/999999");
    await page.getByRole("heading", { ...h1, name: "Object not found" }).waitFor();
    await expectAccessible();
    await page.getByRole("link", { name: "← Deposits" }).click();
    await page.getByRole("heading", { ...h1, name: "Deposits" }).waitFor();
    await page.goto("/ui/nowhere/at/all");
    await page.getByRole("heading", { ...h1, name: "Page not found" }).waitFor();
    await expectAccessible();
    await page.getByRole("link", { name: "Go to overview" }).click();
    await page.getByRole("heading", { ...h1, name: "Overview" }).waitFor();
  });
});

function focused(page: Page): Promise<unknown> {
  return page.evaluate("document.activeElement.textContent");
}
