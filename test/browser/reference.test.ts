import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import { useDatabase } from "../support/database.ts";
import { useWholeApi } from "../support/whole-api.ts";
import { findChromium } from "./support/find-chromium.ts";
import {
  type Appearance,
  clickAndExpectLabel,
  openVisit,
  patienceMs,
  type Visit,
} from "./support/visit.ts";

// Tests the API reference at /docs: accessibility, search, copying and links, on desktop and phone, and without JavaScript.

const found = findChromium(process.env);
if ("reason" in found)
  process.stderr.write(`\nThe API reference in a browser: NOT RUN, ${found.reason}\n`);

describe.each("program" in found ? [found.program] : [])("/docs in %s", (program) => {
  const api = useWholeApi(useDatabase());
  let browser: Browser | null = null;
  beforeAll(async () => {
    const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"];
    browser = await chromium.launch({ executablePath: program, args });
  });
  afterAll(() => browser?.close());

  async function open(path: string, appearance: Appearance = {}): Promise<Visit> {
    const visit = await openVisit(present(browser, "the browser"), api.url(), appearance);
    onTestFinished(async () => {
      await visit.close();
      expect(visit.faults()).toEqual([]);
    });
    await visit.page.goto(path);
    return visit;
  }

  const appearances = [
    { device: "desktop", scheme: "light" },
    { device: "phone", scheme: "dark" },
    { device: "desktop", scheme: "dark" },
    { device: "phone", scheme: "light" },
  ] as const;

  it.each([
    ["/docs", "reference", appearances],
    ["/docs/deposit/", "reference-deposit", appearances.slice(0, 2)],
    ["/docs/errors/", "reference-errors", appearances.slice(2)],
  ] as const)(
    "shows %s without axe violations or sideways scrolling",
    { timeout: 900_000 },
    async (path, name, shown) => {
      for (const appearance of shown) {
        const { page, expectAccessible, shoot } = await open(path, appearance);
        await expectAccessible();
        const overhang =
          "document.documentElement.scrollWidth - document.documentElement.clientWidth";
        await expect.poll(() => page.evaluate(overhang)).toBe(0);
        await shoot(name);
      }
    },
  );

  it("finds and opens an operation with the keyboard", async () => {
    const { page, expectAccessible } = await open("/docs");
    await page.keyboard.press("/");
    const search = page.getByRole("combobox", { name: "Search" });
    await search.and(page.locator(":focus")).waitFor();
    await page.keyboard.type("travel post payout");
    await page.getByRole("option").first().waitFor();
    await expectAccessible();
    await page
      .getByRole("status")
      .getByText(/\d+ results?/)
      .waitFor();
    const options = page.getByRole("option");
    // The results change with each letter.
    const position = async () =>
      (await options.allTextContents()).findIndex((text) => text.startsWith("Create a payout"));
    await expect.poll(position).toBeGreaterThanOrEqual(0);
    const at = await position();
    for (let step = 0; step <= at; step += 1) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/docs\/payout\/#createAPayout$/);
    await page.locator("#createAPayout h2").waitFor();
  });

  it("reports a search without results", async () => {
    const { page } = await open("/docs/wallet/");
    await page.getByRole("combobox", { name: "Search" }).fill("zebra");
    await expect.poll(() => page.getByRole("status").textContent()).toBe("0 results");
  });

  it("loads the search index again after a failure", async () => {
    const visit = await open("/docs/wallet/");
    const { page } = visit;
    visit.expectErrors(/ERR_FAILED .*search\.json/);
    const search = page.getByRole("combobox", { name: "Search" });
    const refused = page.waitForEvent("requestfailed");
    await page.route("**/search.json", (route) => route.abort(), { times: 1 });
    await search.focus();
    await refused;
    // Repeats the input until the page has noticed the failed request.
    const status = async () => {
      await search.fill("zebra");
      return page.getByRole("status").textContent();
    };
    await expect.poll(status).toBe("0 results");
  });

  it("copies a sample verbatim", async () => {
    const { page } = await open("/docs/deposit/#createADeposit");
    const copy = page.getByRole("button", { name: "Copy: Create a deposit: curl" });
    await clickAndExpectLabel(copy, "Copied: Create a deposit: curl");
    const copied = await page.evaluate("navigator.clipboard.readText()");
    expect(copied).toMatch(/^curl -s "\$BASE\/deposit\/" \\\n.*Bearer \$TOKEN/);
  });

  it("collapses the table of contents on a phone", async () => {
    const { page } = await open("/docs/deposit/", { device: "phone" });
    const link = page.getByRole("navigation").getByRole("link", { name: "payout", exact: true });
    expect(await link.isVisible()).toBe(false);
    await page.getByText("Contents").click();
    await link.click();
    await page.getByRole("heading", { level: 1, name: "payout" }).waitFor();
  });

  it("works without JavaScript except for search and copying", async () => {
    const context = await present(browser, "the browser").newContext({ javaScriptEnabled: false });
    onTestFinished(() => context.close());
    context.setDefaultTimeout(patienceMs);
    const page = await context.newPage();
    await page.goto(`${api.url()}/docs/deposit/`);
    await page.getByRole("navigation").getByRole("link", { name: "Create a deposit" }).click();
    await page.waitForURL(/#createADeposit$/);
    expect(await page.getByRole("search").isVisible()).toBe(false);
    const section = page.locator("#createADeposit");
    await section.getByText("target_amount_requested").first().waitFor();
  });
});
