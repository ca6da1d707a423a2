/** Tests the payment page with keyboard only, in other languages, right to left, on narrow screens, with browser wallets, and on errors. */
import type { BrowserContext, Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import type { ChainControl } from "../scenarios/support/chain-control.ts";
import { addressOf, withShop } from "../scenarios/support/shop.ts";
import { describeInBrowser } from "./support/browser-suite.ts";
import {
  openPayer,
  pagePath,
  pageSettings,
  payerOf,
  sidewaysPixels,
} from "./support/payment-page.ts";
import { patienceMs } from "./support/visit.ts";

const patience = { timeout: 900_000 };
const invoice = { target_amount_requested: "100" };

describeInBrowser("using the payment page", (site) => {
  beforeAll(async () => {
    const { status } = await site.testSite().owner.ask("PATCH", "/store-settings/", pageSettings);
    expect(status).toBe(200);
  });

  it("lets a payer search and choose a currency with the keyboard alone", patience, () =>
    withShop(site.testSite(), async (shop) => {
      const deposit = await shop.deposit(await shop.wallet("merchant", "USD"), invoice);
      const payer = await openPayer(site, deposit, { device: "desktop" });
      const { page } = payer;
      await payer.expectTitle("Choose how to pay");
      await page.keyboard.press("Tab");
      const search = page.getByRole("combobox", { name: "Search currency or network" });
      await search.and(page.locator(":focus")).waitFor();
      await page.keyboard.type("no such currency");
      await payer.expectText("No currencies match your search.");
      await page.keyboard.press("Escape");
      await page.keyboard.type("eth");
      const options = page.getByRole("listbox", { name: "Currencies" }).getByRole("option");
      await expect.poll(() => options.count()).toBe(4);
      await page.getByRole("status").getByText("4 currencies found").waitFor();
      const active = (): Promise<string> => activeOption(page);
      await expect.poll(active).toContain("0.04 ETH");
      await page.keyboard.press("ArrowDown");
      await expect.poll(active).toContain("USDC");
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("ArrowUp");
      await expect.poll(active).toContain("DAI");
      await page.keyboard.press("Enter");
      const selected = options.and(page.locator('[aria-selected="true"]'));
      await selected.getByText("DAI").first().waitFor();
      await payer.expectPresentable("choose-picked");
      await page.keyboard.press("Enter");
      await payer.expectTitle("Waiting for payment");
      await page.getByRole("status").getByText("Waiting for payment").waitFor();
      expect(await payer.field("Amount to send")).toBe("100 DAI");
      // The heading has the focus, and Tab continues from there.
      await page.getByRole("heading", { level: 1 }).and(page.locator(":focus")).waitFor();
      await page.keyboard.press("Tab");
      const copy = page.getByRole("button", { name: "Copy: Amount to send" });
      await copy.and(page.locator(":focus")).waitFor();
    }),
  );

  it("uses the browser's language and remembers a selected one", patience, () =>
    withShop(site.testSite(), async (shop) => {
      const wallet = await shop.wallet("merchant", "USD");
      const deposit = await shop.deposit(wallet, { target_amount_requested: "1234.50" }, "BTC");
      const appearance = { device: "phone", locale: "de-DE" } as const;
      const payer = await openPayer(site, deposit, appearance);
      const { page } = payer;
      await payer.expectTitle("Warten auf Zahlung");
      await payer.expectText("1.234,50 $");
      expect(await payer.field("Zu sendender Betrag")).toBe("0,02469 BTC");
      await payer.expectPresentable("german");
      await page.getByLabel("Sprache").selectOption("es");
      await payer.expectTitle("Esperando el pago");
      await page.reload();
      await payer.expectTitle("Esperando el pago");
      await expect.poll(() => page.evaluate("document.documentElement.lang")).toBe("es");
      await page.getByLabel("Idioma").selectOption("zh");
      await payer.expectTitle("等待付款");
      await payer.expectText("请仅发送 BTC");
      await payer.expectPresentable("chinese");
    }),
  );

  it("cuts off no text from right to left at 320 pixels", patience, () =>
    withShop(site.testSite(), async (shop) => {
      const wallet = await shop.wallet("merchant", "USD");
      const payer = await openPayer(site, await shop.deposit(wallet, invoice, "BTC"));
      const chooser = await openPayer(site, await shop.deposit(wallet, invoice));
      for (const { page, expectAccessible, shoot } of [payer, chooser]) {
        await page.getByRole("heading", { level: 1 }).waitFor();
        await page.evaluate('document.documentElement.dir = "rtl"');
        // Equals 1280 pixels at 400% zoom.
        await page.setViewportSize({ width: 320, height: 256 });
        await expect.poll(() => sidewaysPixels(page)).toBe(0);
        await expect.poll(() => listCutOff(page)).toEqual([]);
        await expectAccessible();
        await shoot(page === payer.page ? "pay-rtl-narrow" : "pay-rtl-narrow-choose");
      }
      const { page } = payer;
      const label = present(await page.getByText("Amount to send").boundingBox(), "the label");
      const button = page.getByRole("button", { name: "Copy: Amount to send" });
      const copy = present(await button.boundingBox(), "the button");
      expect(copy.x).toBeLessThan(label.x + label.width / 2);
      expect(copy.height).toBeGreaterThanOrEqual(24);
    }),
  );

  it("pays the exact amount once with a browser wallet", patience, () =>
    withShop(site.testSite(), async (shop) => {
      const wallet = await shop.wallet("merchant", "USD");
      const deposit = await shop.deposit(wallet, invoice, "USDT-ETH");
      await site.testSite().onChain("ETH", async (chain) => {
        const visit = await site.open("/pay/assets/none");
        visit.expectErrors(/pay\/assets\/none/);
        const testWallet = await installWallet(visit.context, chain);
        await visit.page.goto(pagePath(deposit));
        const payer = await payerOf(visit);
        const pay = payer.page.getByRole("button", { name: "Pay with browser wallet" });
        await pay.waitFor();
        await payer.expectPresentable("wallet");

        testWallet.refuse("wallet_switchEthereumChain", 4902);
        await pay.click();
        await payer.expectText("Your wallet doesn't support the Ethereum network yet");
        testWallet.refuse("eth_sendTransaction", 4001);
        await pay.click();
        await payer.expectText("You declined the request in your wallet. Nothing was sent.");
        await payer.expectPresentable("wallet-declined");
        testWallet.refuse("nothing", 0);
        await pay.dblclick();
        await payer.expectTitle("Payment detected");
        expect(testWallet.sent()).toBe(1);
        await chain.mine(13);
        await payer.expectTitle("Paid");
        await payer.expectSameDocument();
      });
      await shop.expectDeposit(deposit, { target_paid: "100.00" });
    }),
  );

  it("renews an expired rate automatically", patience, () =>
    withShop(site.testSite(), async (shop) => {
      const wallet = await shop.wallet("merchant", "USD");
      const deposit = await shop.deposit(wallet, invoice, "BTC");
      await site
        .testSite()
        .sql(
          "update deposit set rate_expires_at = created_at + interval '1 millisecond' where id = $1",
          [deposit.id],
        );
      const payer = await openPayer(site, deposit);
      await payer.page
        .getByText(/Rate locked until \d+:\d\d/)
        .first()
        .waitFor();
      expect(await payer.field("Amount to send")).toBe("0.002 BTC");
      await payer.expectSameDocument();
    }),
  );

  it("explains an unknown page and a choice that comes too late", patience, () =>
    withShop(site.testSite(), async (shop) => {
      const nowhere = await site.open(`/pay/${systemRandom.uuid()}/`, { device: "phone" });
      nowhere.expectErrors(/404/);
      const lost = await payerOf(nowhere);
      await lost.expectTitle("This payment page does not exist");
      await lost.expectPresentable("not-found");

      const deposit = await shop.deposit(await shop.wallet("merchant", "USD"), invoice);
      const payer = await openPayer(site, deposit);
      await payer.expectTitle("Choose how to pay");
      payer.expectErrors(/choose/, /events/, /state/);
      // Blocks the page's own requests; the payer's actions still reach the server.
      await payer.page.route(/\/(?:events|state\/)$/, (route) => route.abort());
      await payer.page.evaluate("dispatchEvent(new Event('online'))");
      await shop.cancel(deposit);
      await payer.choose("Bitcoin", "Bitcoin");
      await payer.expectText("This payment has changed, so your choice wasn't saved.");
      await payer.expectPresentable("choose-refused");
      await payer.page.unroute(/\/(?:events|state\/)$/);
      await payer.page.evaluate("dispatchEvent(new Event('online'))");
      await payer.expectTitle("This payment was canceled");
    }),
  );

  it("shows payment instructions without JavaScript", patience, () =>
    withShop(site.testSite(), async (shop) => {
      const wallet = await shop.wallet("merchant", "USD");
      const deposit = await shop.deposit(wallet, invoice, "BTC");
      const { context } = await site.open(pagePath(deposit));
      const browser = present(context.browser(), "the browser");
      const plain = await browser.newContext({ javaScriptEnabled: false });
      plain.setDefaultTimeout(patienceMs);
      const page = await plain.newPage();
      await page.goto(`${site.origin()}${pagePath(deposit)}`);
      const address = addressOf(deposit);
      const instructions = await page.locator("#plain").innerText();
      expect(instructions).toContain(`Send 0.002 BTC on Bitcoin to ${address}`);
      await plain.close();
    }),
  );
});

function activeOption(page: Page): Promise<string> {
  return page.evaluate<string>(
    "document.getElementById(document.activeElement.getAttribute('aria-activedescendant')).innerText",
  );
}

/** Lists elements whose text is cut off, except those with a deliberate ellipsis. */
function listCutOff(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`
    [...document.querySelectorAll(".page *")]
      .filter((element) => element.closest(".visually-hidden, .txid, svg, select") === null)
      .filter((element) => [...element.childNodes].some(({ nodeType }) => nodeType === Node.TEXT_NODE))
      .filter((element) => element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== "inline")
      .map((element) => element.className + ": " + element.textContent)
  `);
}

type TestWallet = {
  /** Makes the wallet answer one method with an error code, and every other method correctly. */
  readonly refuse: (method: string, code: number) => void;
  /** Number of transactions sent. */
  readonly sent: () => number;
};

/**
 * Installs a wallet like a browser extension (EIP-1193) with the first account of the private chain. It confirms every prompt and
 * starts on another network.
 */
async function installWallet(context: BrowserContext, chain: ChainControl): Promise<TestWallet> {
  let refused = { method: "", code: 0 };
  let sent = 0;
  let hasSwitched = false;
  await context.exposeFunction("askWallet", async (method: string, params: readonly unknown[]) => {
    if (method === refused.method) return { error: { code: refused.code, message: "refused" } };
    if (method === "wallet_switchEthereumChain") {
      hasSwitched = true;
      return { result: null };
    }
    if (method === "eth_chainId" && !hasSwitched) return { result: "0x1" };
    if (method === "eth_sendTransaction") sent += 1;
    const name = method === "eth_requestAccounts" ? "eth_accounts" : method;
    const signal = new AbortController().signal;
    return { result: await chain.rpc.call<unknown>(name, params, signal) };
  });
  await context.addInitScript(`
    window.ethereum = {
      request: async ({ method, params = [] }) => {
        const { result, error } = await window.askWallet(method, params);
        if (error !== undefined) throw error;
        return result;
      },
    };
  `);
  return {
    refuse: (method, code) => {
      refused = { method, code };
    },
    sent: () => sent,
  };
}
