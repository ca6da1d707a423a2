/** A shop at another origin opens the payment page in a dialog, and learns what happens on it only if the store allows that origin. */
import { expect, it } from "vitest";
import { addressOf, withShop } from "../scenarios/support/shop.ts";
import { type BrowserSite, describeInBrowser } from "./support/browser-suite.ts";
import { serveShop } from "./support/shop-server.ts";

const invoice = { target_amount_requested: "100", tracking_id: "4711" };
const order = { target_amount_requested: "100", tracking_id: "4712" };

describeInBrowser("the embed script", (site) => {
  it("shows the payment in a dialog and tells the shop its stages", { timeout: 900_000 }, () =>
    withShop(site.testSite(), async (shop) => {
      const deposit = await shop.deposit(await shop.wallet("merchant", "USD"), invoice, "ETH");
      const origin = await serveShop(site.origin(), deposit.attributes["payment_page"] as string);
      await allow(site, [origin]);
      const visit = await site.open("/healthz");
      visit.expectErrors(new RegExp(`foreign request: ${origin}/`));
      const { page } = visit;
      await page.goto(origin);
      const log = page.locator("#log");
      const button = page.getByRole("button", { name: "Pay with crypto" });
      await button.click();
      const frame = page.getByRole("dialog", { name: "Payment" }).frameLocator("iframe");
      await frame.getByRole("heading", { name: "Waiting for payment" }).waitFor();
      await expect.poll(() => log.innerText()).toBe("state 4711 waiting\n");
      // A message of the shop's own page, or of any other frame in it, is not the service's.
      await page.evaluate(
        `window.postMessage({ source: "sluice", type: "state", id: "1", stage: "paid" }, "*")`,
      );
      await visit.shoot("embed-dialog");
      await visit.expectAccessible();

      await site.testSite().onChain("ETH", async (chain) => {
        await chain.pay("ETH", addressOf(deposit), "0.04");
        await frame.getByRole("heading", { name: "Payment detected" }).waitFor();
        await chain.mine(13);
      });
      await frame.getByRole("heading", { name: "Paid", exact: true }).waitFor();
      await expect
        .poll(() => log.innerText())
        .toBe("state 4711 waiting\nstate 4711 seen\nstate 4711 paid\n");
      await page.getByRole("button", { name: "Close" }).click();
      await expect.poll(() => log.innerText()).toMatch(/close - paid\n$/);
      expect(await page.getByRole("dialog").count()).toBe(0);
      expect(await button.evaluate(isFocusedScript)).toBe(true);

      await page.setViewportSize({ width: 390, height: 844 });
      await button.click();
      await frame.getByRole("heading", { name: "Paid", exact: true }).waitFor();
      await visit.shoot("embed-dialog-narrow");
      await page.keyboard.press("Escape");
      await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    }),
  );

  it("opens a payment link in a dialog", { timeout: 900_000 }, () =>
    withShop(site.testSite(), async (shop) => {
      const wallet = await shop.wallet("merchant", "USD");
      const link = await site.testSite().owner.ask("POST", "/payment-link/", {
        data: {
          type: "payment-link",
          attributes: { name: "Green cup", amount_type: "fixed", amount: "20.00" },
          relationships: { wallet: { data: { type: "wallet", id: wallet } } },
        },
      });
      expect([link.status, link.text]).toEqual([201, link.text]);
      const origin = await serveShop(site.origin(), link.one.attributes["url"] as string);
      await allow(site, [origin]);
      const visit = await site.open("/healthz");
      visit.expectErrors(new RegExp(`foreign request: ${origin}/`));
      const { page } = visit;
      await page.goto(origin);
      await page.evaluate(
        `addEventListener("message", ({ data }) => document.querySelector("#log").append(data.type))`,
      );
      await page.getByRole("button", { name: "Pay with crypto" }).click();
      const dialog = page.getByRole("dialog", { name: "Payment" });
      await dialog.frameLocator("iframe").getByRole("heading", { name: "Green cup" }).waitFor();
      // The dialog waits for this message before it says that the page can't be shown.
      await expect.poll(() => page.locator("#log").innerText()).toBe("ready");
    }),
  );

  it("offers a new tab on an origin that the store does not allow", { timeout: 900_000 }, () =>
    withShop(site.testSite(), async (shop) => {
      const deposit = await shop.deposit(await shop.wallet("merchant", "USD"), order, "ETH");
      const paymentPage = deposit.attributes["payment_page"] as string;
      const [allowed, other] = await Promise.all([
        serveShop(site.origin(), paymentPage),
        serveShop(site.origin(), paymentPage),
      ]);
      await allow(site, [allowed]);
      const visit = await site.open("/healthz");
      visit.expectErrors(new RegExp(`foreign request: ${other}/`), /frame-ancestors/);
      const { page } = visit;
      await page.goto(other);
      const refused = page.waitForEvent("console", (message) =>
        message.text().includes("frame-ancestors"),
      );
      await page.getByRole("button", { name: "Pay with crypto" }).click();
      await refused;
      const advised = page.waitForEvent("console", (message) =>
        message.text().includes(`add ${other} to the websites that may embed`),
      );
      const alert = page.getByRole("dialog", { name: "Payment" }).getByRole("alert");
      await alert.getByText("The payment page can’t be shown here.").waitFor();
      await advised;
      await visit.shoot("embed-refused");
      await visit.expectAccessible();
      const tab = page.waitForEvent("popup");
      await alert.getByRole("link", { name: "Open it in a new tab" }).click();
      await (await tab).getByRole("heading", { name: "Waiting for payment" }).waitFor();
      await page.getByRole("button", { name: "Close" }).click();
      expect(await page.locator("#log").innerText()).toBe("close - null\n");
      await page.evaluate(`document.documentElement.lang = "de-CH"`);
      await page.getByRole("button", { name: "Pay with crypto" }).click();
      await alert.getByRole("link", { name: "In einem neuen Tab öffnen" }).waitFor();
    }),
  );

  it("refuses addresses that are not the service's payment pages", {
    timeout: 900_000,
  }, async () => {
    const origin = await serveShop(site.origin(), `${site.origin()}/pay/1/`);
    const visit = await site.open("/healthz");
    visit.expectErrors(new RegExp(`foreign request: ${origin}/`));
    await visit.page.goto(origin);
    for (const url of [
      "https://pay.evil.example/pay/1/",
      "javascript:alert(1)",
      "/ui/",
      `${site.origin()}/ui/`,
    ])
      expect(
        await visit.page.evaluate(
          `try { Sluice.open(${JSON.stringify(url)}); "opened" } catch (error) { error.name }`,
        ),
      ).toBe("TypeError");
    expect(await visit.page.getByRole("dialog").count()).toBe(0);
  });
});

const isFocusedScript = (node: { readonly matches: (selector: string) => boolean }): boolean =>
  node.matches(":focus");

async function allow(site: BrowserSite, origins: readonly string[]): Promise<void> {
  const { status, text } = await site.testSite().owner.ask("PATCH", "/store-settings/", {
    data: { type: "store-settings", attributes: { frame_ancestors: [...origins] } },
  });
  expect([status, text]).toEqual([200, text]);
}
