/** Payment links and the point of sale: a merchant creates a link, customers pay by it on a phone, and a cashier charges an amount. */
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { addressOf, withShop } from "../scenarios/support/shop.ts";
import { describeInBrowser } from "./support/browser-suite.ts";
import { openDashboard, whoLooksIsKnown } from "./support/open-dashboard.ts";
import { payerOf, teapot } from "./support/payment-page.ts";
import { presentable } from "./support/presentable.ts";

const patience = { timeout: 900_000 };

describeInBrowser("payment links", (site) => {
  it("are created in the dashboard and paid until the stock is sold", patience, async () => {
    const visit = await openDashboard(site, "/payment-links");
    const { page } = visit;
    await whoLooksIsKnown(page);
    await page.getByRole("button", { name: "New payment link" }).first().click();
    const dialog = page.getByRole("dialog", { name: "New payment link" });
    await dialog.getByLabel("Name").fill("Blue teapot");
    await dialog.getByLabel("Description").fill("Porcelain, one liter");
    const price = dialog.getByLabel(/^Price/);
    expect(await price.getAttribute("aria-required")).toBe("true");
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.getByText("Enter a price.").waitFor();
    await price.and(page.locator(":focus")).waitFor();
    await price.fill("40");
    await dialog.getByLabel("Stock").fill("1");
    await dialog.locator("input[type=file]").setInputFiles({
      name: "teapot.png",
      mimeType: "image/png",
      buffer: Buffer.from(teapot.split(",")[1] ?? "", "base64"),
    });
    await dialog.getByRole("img", { name: "The chosen picture" }).waitFor();
    await presentable(visit, "payment-link-dialog");
    await dialog.getByRole("button", { name: "Create" }).click();
    const row = page.getByRole("row").filter({ hasText: "Blue teapot" });
    await row.getByText("Active").waitFor();
    await row.getByText("0 of 1").waitFor();
    await presentable(visit, "payment-links");
    await row.getByRole("button", { name: "QR code of Blue teapot" }).click();
    const code = page.getByRole("dialog", { name: "QR code of Blue teapot" });
    await code.getByRole("img", { name: "QR code of the payment link" }).waitFor();
    await presentable(visit, "payment-link-qr");
    const svg = await saved(page, code.getByRole("button", { name: "Download SVG" }));
    expect(svg.toString()).toMatch(/^<svg xmlns=/);
    const png = await saved(page, code.getByRole("button", { name: "Download PNG" }));
    expect(png.subarray(0, 8)).toEqual(Buffer.from("\x89PNG\r\n\x1a\n", "latin1"));
    await page.keyboard.press("Escape");
    await code.waitFor({ state: "detached" });
    await row.getByRole("button", { name: "Embed Blue teapot" }).click();
    const embedding = page.getByRole("dialog", { name: "Embed Blue teapot" });
    const snippet = await embedding.locator("code").innerText();
    expect(snippet).toContain(`<script src="${site.origin()}/embed.js" defer></script>`);
    expect(snippet).toMatch(
      /<button type="button" data-sluice-payment="http[^"]+\/link\/[^"]+\/">/,
    );
    await embedding.getByText("No website may embed your payment page yet").waitFor();
    await presentable(visit, "payment-link-embed");
    await embedding.getByRole("link", { name: "store settings" }).click();
    const websites = page.getByLabel("Websites that may embed the payment page");
    const top = async () => (await websites.boundingBox())?.y ?? -1;
    await expect.poll(async () => (await top()) > 60 && (await top()) < 500).toBe(true);
    await page.goBack();
    const [link] = await site.testSite().owner.list("/payment-link/");
    if (link === undefined) throw new Error("no payment link");
    const path = new URL(link.attributes["url"] as string).pathname;

    const payer = await payerOf(await site.open(path, { device: "phone" }));
    await payer.expectTitle("Blue teapot");
    for (const text of ["Porcelain, one liter", "$40.00", "1 left"]) await payer.expectText(text);
    await payer.expectPresentable("link");
    await payer.page.getByRole("button", { name: "Continue to payment" }).click();
    await payer.expectTitle("Choose how to pay");
    await payer.expectText("Porcelain, one liter");

    const late = await payerOf(await site.open(path, { device: "phone" }));
    await late.expectTitle("Blue teapot");
    await late.expectText("Sold out");
    await late.expectPresentable("link-sold-out");
  });

  it("take the amount that the payer enters, in the payer's language", patience, async () => {
    const { owner } = site.testSite();
    const [wallet] = (await owner.list("/wallet/")).filter(
      ({ attributes }) => attributes["type"] === 1,
    );
    const created = await owner.ask("POST", "/payment-link/", {
      data: {
        type: "payment-link",
        attributes: { name: "Donation", amount_type: "chosen", amount_min: "5.00" },
        relationships: { wallet: { data: { type: "wallet", id: wallet?.id ?? "" } } },
      },
    });
    expect([created.status, created.text]).toEqual([201, created.text]);
    const path = new URL(created.one.attributes["url"] as string).pathname;
    const look = { device: "phone", locale: "de-DE" } as const;
    const payer = await payerOf(await site.open(path, look));
    payer.expectErrors(/400/);
    const submit = payer.page.getByRole("button", { name: "Weiter zur Zahlung" });
    await payer.page.getByLabel(/^Betrag/).fill("4,50");
    await submit.click();
    await payer.expectText("Geben Sie einen gültigen Betrag ein.");
    await payer.expectPresentable("link-amount");
    await payer.page.getByLabel(/^Betrag/).fill("7,50");
    await submit.click();
    await payer.expectTitle("Zahlungsart wählen");
    await payer.expectText(/7,50/);

    const missing = await site.open("/link/00000000-0000-4000-8000-000000000000/");
    missing.expectErrors(/404/);
    await missing.page.getByRole("heading", { name: "This payment link does not exist" }).waitFor();
    await missing.expectAccessible();
  });
});

describeInBrowser("the point of sale", (site) => {
  it("charges the typed amount on a phone and sees the payment", patience, () =>
    withShop(site.testSite(), async (shop) => {
      const visit = await openDashboard(site, "/point-of-sale", { device: "phone" });
      const { page } = visit;
      await whoLooksIsKnown(page);
      for (const key of ["1", "0", "0", ".", "5", "Delete the last digit", "0"])
        await page.getByRole("button", { name: key, exact: true }).click();
      await expect
        .poll(() => page.getByLabel("Amount", { exact: true }).innerText())
        .toMatch(/^100\.0 /);
      await presentable(visit, "point-of-sale");
      await page.getByRole("button", { name: "Charge" }).click();
      await page.getByRole("img", { name: "QR code of the payment page" }).waitFor();
      await presentable(visit, "point-of-sale-code");

      const [deposit] = await site.testSite().owner.list("/deposit/");
      if (deposit === undefined) throw new Error("no deposit");
      const customer = await payerOf(
        await site.open(new URL(deposit.attributes["payment_page"] as string).pathname, {
          device: "phone",
        }),
      );
      await customer.choose("Ethereum", "Ethereum");
      await customer.expectTitle("Waiting for payment");
      const address = addressOf({ ...deposit, attributes: await shop.read(deposit) });
      await site.testSite().onChain("ETH", async (chain) => {
        await chain.pay("ETH", address, "0.04");
        await chain.mine(13);
      });
      await page.getByRole("status").getByText("Paid", { exact: true }).waitFor();
      await page.getByRole("button", { name: "New sale" }).click();
      await page.getByRole("button", { name: "Charge" }).waitFor();
    }),
  );
});

/** The file that a button saves. */
async function saved(page: Page, button: Locator): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
  return readFile(await download.path());
}
