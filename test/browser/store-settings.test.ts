/** An Owner sets the store's name, logo and color in the dashboard, and a payer sees them on the payment page. */
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import { withShop } from "../scenarios/support/shop.ts";
import { describeInBrowser } from "./support/browser-suite.ts";
import { openDashboard, whoLooksIsKnown } from "./support/open-dashboard.ts";
import { openPayer, teapot } from "./support/payment-page.ts";
import { presentable } from "./support/presentable.ts";

type Styled = { readonly style: { readonly getPropertyValue: (name: string) => string } };

async function isInside(page: Page, element: Locator): Promise<boolean> {
  const { y, height } = present(await element.boundingBox(), "the element's place");
  return y >= 0 && y + height <= present(page.viewportSize(), "the window's size").height;
}

describeInBrowser("the store page of the dashboard", (site) => {
  it("changes what payers see", { timeout: 900_000 }, () =>
    withShop(site.testSite(), async (shop) => {
      const visit = await openDashboard(site, "/store");
      const { page } = visit;
      await whoLooksIsKnown(page);
      await page.getByLabel("Store name").fill("Blue Teapot");
      await page.getByLabel("Color", { exact: true }).fill("#ffd400");
      await page.getByLabel("Receipt note").fill("Blue Teapot, 1 Main Street");
      await page.locator("input[type=file]").setInputFiles({
        name: "teapot.png",
        mimeType: "image/png",
        buffer: Buffer.from(teapot.split(",")[1] ?? "", "base64"),
      });
      await page.getByRole("img", { name: "The chosen logo" }).waitFor();
      // Shown while it is entered, and what is saved is refused.
      const refused = page.getByText(/nearest color that is readable is #816b00/);
      await refused.waitFor();
      expect(await refused.textContent()).toContain(
        "with the light background #eef2f1 (links below the card) is 1.2:1",
      );
      const save = page.getByRole("button", { name: "Save" });
      await page.getByText("You have unsaved changes.").waitFor();
      expect(await isInside(page, save)).toBe(true);
      await save.click();
      await page.getByLabel("Color", { exact: true }).and(page.locator(":focus")).waitFor();
      await expect.poll(() => isInside(page, refused)).toBe(true);
      await presentable(visit, "store-refused");
      const preview = page.getByRole("region", { name: "Preview of the payment page" });
      const colorOf = (figure: number) =>
        preview
          .locator("figure")
          .nth(figure)
          .locator(".page-preview-page")
          .evaluate((node: Styled) => node.style.getPropertyValue("--page-accent"));
      // The page never has an unreadable color: the preview shows the one that it would have.
      expect([await colorOf(0), await colorOf(1)]).toEqual(["#816b00", "#ffd400"]);
      await page.getByLabel("Color: color picker").fill("#1565c0");
      expect(await page.getByLabel("Color", { exact: true }).inputValue()).toBe("#1565c0");
      await page.getByLabel("Color", { exact: true }).fill("#816B00");
      expect(await page.getByLabel("Color: color picker").inputValue()).toBe("#816b00");
      await page.getByLabel("Color: color picker").focus();
      await page.keyboard.press("Tab");
      await page.getByLabel("Color", { exact: true }).and(page.locator(":focus")).waitFor();
      await preview.getByText("Blue Teapot").first().waitFor();
      expect(await preview.locator("img").count()).toBe(2);
      await save.click();
      const saved = page.getByText("Store settings saved.");
      await saved.waitFor();
      await page.getByText("Nothing has changed.").waitFor();
      expect(await save.isDisabled()).toBe(true);
      await saved.waitFor({ state: "detached", timeout: 45_000 });
      await page.reload();
      await page.getByRole("img", { name: "The chosen logo" }).waitFor();
      expect(await page.getByLabel("Color", { exact: true }).inputValue()).toBe("#816b00");
      await presentable(visit, "store");

      const wallet = await shop.wallet("merchant", "USD");
      const invoice = { target_amount_requested: "100", description: "Teapot, blue, 1 liter" };
      const deposit = await shop.deposit(wallet, { ...invoice, tracking_id: "4711" }, "ETH");
      const payer = await openPayer(site, deposit);
      await payer.expectTitle("Waiting for payment");
      for (const text of ["Blue Teapot", "Teapot, blue, 1 liter", "4711"])
        await payer.expectText(text);
      const width = () => payer.page.evaluate("document.querySelector('img.logo').naturalWidth");
      await expect.poll(width).toBe(32);
      await payer.expectPresentable("branded");
    }),
  );
});
