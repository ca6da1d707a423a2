/** An Owner sets the store's name, logo and color in the dashboard, and a payer sees them on the payment page. */
import { expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import { withShop } from "../scenarios/support/shop.ts";
import { describeInBrowser } from "./support/browser-suite.ts";
import { openDashboard, whoLooksIsKnown } from "./support/open-dashboard.ts";
import { openPayer, teapot } from "./support/payment-page.ts";
import { presentable } from "./support/presentable.ts";

describeInBrowser("the store page of the dashboard", (site) => {
  it("changes what payers see", { timeout: 240_000 }, () =>
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
      visit.expectErrors(/400/);
      await page.getByRole("button", { name: "Save" }).click();
      const refused = page.getByText(/nearest color that is readable is #806a00/);
      await refused.waitFor();
      await page.getByLabel("Color", { exact: true }).and(page.locator(":focus")).waitFor();
      const isInView = async (): Promise<boolean> => {
        const { y, height } = present(await refused.boundingBox(), "the note's place");
        return y >= 0 && y + height <= present(page.viewportSize(), "the window's size").height;
      };
      await expect.poll(isInView).toBe(true);
      await presentable(visit, "store-refused");
      await page.getByLabel("Color", { exact: true }).fill("#806A00");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Store settings saved.").waitFor();
      await expect.poll(() => page.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
      await page.reload();
      await page.getByRole("img", { name: "The chosen logo" }).waitFor();
      expect(await page.getByLabel("Color", { exact: true }).inputValue()).toBe("#806a00");
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
