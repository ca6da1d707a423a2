/**
 * Shows how a payment page is used: by keyboard alone, in other languages, from right to left, on the narrowest screen, with
 * wallets of the browser, and when things go wrong.
 */
import type { BrowserContext, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import type { ChainHand } from "../scenarios/stage/chain-hand.ts";
import { addressOf, withShop } from "../scenarios/stage/shop.ts";
import { describeInBrowser } from "./support/browser-suite.ts";
import { openPayer, pagePath, payerOf, shopWords, sidewaysPixels } from "./support/payment-page.ts";
import { patienceMs } from "./support/visit.ts";

const patience = { timeout: 600_000 };
const invoice = { target_amount_requested: "100" };

describeInBrowser("the payment page in use", (site) => {
  beforeAll(async () => {
    const { status } = await site.stage().owner.ask("PATCH", "/payment-page/", shopWords);
    expect(status).toBe(200);
  });

  test("a coin is searched, picked and paid with by the keyboard alone", patience, () =>
    withShop(site.stage(), async (shop) => {
      const deposit = await shop.deposit(await shop.wallet("merchant", "USD"), invoice);
      const payer = await openPayer(site, deposit, { device: "desktop" });
      const { page } = payer;
      await payer.expectTitle("Choose how to pay");
      await page.keyboard.press("Tab");
      const search = page.getByRole("combobox", { name: "Search coin or network" });
      await search.and(page.locator(":focus")).waitFor();
      await page.keyboard.type("nothing like it");
      await payer.expectText("No coin matches your search.");
      await page.keyboard.press("Escape");
      await page.keyboard.type("eth");
      const coins = page.getByRole("listbox", { name: "Coins" }).getByRole("option");
      await expect.poll(() => coins.count()).toBe(3);
      await page.getByRole("status").getByText("3 coins found").waitFor();
      const active = (): Promise<string> => activeOption(page);
      await expect.poll(active).toContain("0.04 ETH");
      await page.keyboard.press("ArrowDown");
      await expect.poll(active).toContain("USDC");
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("ArrowUp");
      await expect.poll(active).toContain("USDT");
      await page.keyboard.press("Enter");
      const selected = coins.and(page.locator('[aria-selected="true"]'));
      await selected.getByText("USDT").first().waitFor();
      await payer.expectPresentable("choose-picked");
      await page.keyboard.press("Enter");
      await payer.expectTitle("Waiting for payment");
      await page.getByRole("status").getByText("Waiting for payment").waitFor();
      expect(await payer.field("Amount to send")).toBe("100 USDT");
      // The heading has the focus, whatever comes next is behind it.
      await page.getByRole("heading", { level: 1 }).and(page.locator(":focus")).waitFor();
      await page.keyboard.press("Tab");
      const copy = page.getByRole("button", { name: "Copy: Amount to send" });
      await copy.and(page.locator(":focus")).waitFor();
    }),
  );

  test("the reader's language is spoken, can be changed, and is kept", patience, () =>
    withShop(site.stage(), async (shop) => {
      const wallet = await shop.wallet("merchant", "USD");
      const deposit = await shop.deposit(wallet, { target_amount_requested: "1234.50" }, "BTC");
      const look = { device: "phone", locale: "de-DE" } as const;
      const payer = await openPayer(site, deposit, look);
      const { page } = payer;
      await payer.expectTitle("Warten auf Zahlung");
      await payer.expectText("1.234,50 $");
      expect(await payer.field("Zu sendender Betrag")).toBe("0,02469 BTC");
      await payer.expectPresentable("german");
      await page.getByLabel("Sprache").selectOption("es");
      await payer.expectTitle("Esperamos su pago");
      await page.reload();
      await payer.expectTitle("Esperamos su pago");
      await expect.poll(() => page.evaluate("document.documentElement.lang")).toBe("es");
      await page.getByLabel("Idioma").selectOption("zh");
      await payer.expectTitle("等待您付款");
      await payer.expectText("请仅发送 BTC");
      await payer.expectPresentable("chinese");
    }),
  );

  test("from right to left and on the narrowest screen nothing is cut off", patience, () =>
    withShop(site.stage(), async (shop) => {
      const wallet = await shop.wallet("merchant", "USD");
      const payer = await openPayer(site, await shop.deposit(wallet, invoice, "BTC"));
      const chooser = await openPayer(site, await shop.deposit(wallet, invoice));
      for (const { page, expectAccessible, shoot } of [payer, chooser]) {
        await page.getByRole("heading", { level: 1 }).waitFor();
        await page.evaluate('document.documentElement.dir = "rtl"');
        // 1280 pixels at 400 %.
        await page.setViewportSize({ width: 320, height: 256 });
        await expect.poll(() => sidewaysPixels(page)).toBe(0);
        await expect.poll(() => cutOff(page)).toEqual([]);
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

  test("a wallet of the browser pays exactly what is asked for, once", patience, () =>
    withShop(site.stage(), async (shop) => {
      const wallet = await shop.wallet("merchant", "USD");
      const deposit = await shop.deposit(wallet, invoice, "USDT-ETH");
      await site.stage().onChain("ETH", async (chain) => {
        const visit = await site.open("/pay/assets/none");
        visit.expectErrors(/pay\/assets\/none/);
        const bridge = await installWallet(visit.context, chain);
        await visit.page.goto(pagePath(deposit));
        const payer = await payerOf(visit);
        const pay = payer.page.getByRole("button", { name: "Pay with browser wallet" });
        await pay.waitFor();
        await payer.expectPresentable("wallet");

        bridge.refuse("wallet_switchEthereumChain", 4902);
        await pay.click();
        await payer.expectText("Your wallet does not know the network Ethereum");
        bridge.refuse("eth_sendTransaction", 4001);
        await pay.click();
        await payer.expectText("You declined in the wallet. Nothing was sent.");
        await payer.expectPresentable("wallet-declined");
        bridge.refuse("nothing", 0);
        await pay.dblclick();
        await payer.expectTitle("Payment seen");
        expect(bridge.sent()).toBe(1);
        await chain.mine(13);
        await payer.expectTitle("Paid");
        await payer.expectSameDocument();
      });
      await shop.expectDeposit(deposit, { target_paid: "100.00" });
    }),
  );

  test("a price that has run out is renewed by itself", patience, () =>
    withShop(site.stage(), async (shop) => {
      const wallet = await shop.wallet("merchant", "USD");
      const deposit = await shop.deposit(wallet, invoice, "BTC");
      await site
        .stage()
        .sql(
          "update deposit set rate_expires_at = created_at + interval '1 millisecond' where id = $1",
          [deposit.id],
        );
      const payer = await openPayer(site, deposit);
      await payer.page
        .getByText(/Price fixed for 1[0-4]:\d\d/)
        .first()
        .waitFor();
      expect(await payer.field("Amount to send")).toBe("0.002 BTC");
      await payer.expectSameDocument();
    }),
  );

  test("what cannot be done is said: no such page, a choice that comes too late", patience, () =>
    withShop(site.stage(), async (shop) => {
      const nowhere = await site.open(`/pay/${systemRandom.uuid()}/`, { device: "phone" });
      nowhere.expectErrors(/404/);
      const lost = await payerOf(nowhere);
      await lost.expectTitle("This payment page does not exist");
      await lost.expectPresentable("not-found");

      const deposit = await shop.deposit(await shop.wallet("merchant", "USD"), invoice);
      const payer = await openPayer(site, deposit);
      await payer.expectTitle("Choose how to pay");
      payer.expectErrors(/choose/, /events/, /state/);
      // A network that lets through what the payer does, and nothing that the page asks by itself.
      await payer.page.route(/\/(?:events|state\/)$/, (route) => route.abort());
      await payer.page.evaluate("dispatchEvent(new Event('online'))");
      await shop.cancel(deposit);
      await payer.choose("Bitcoin", "Bitcoin");
      await payer.expectText("That is not possible any more.");
      await payer.expectPresentable("choose-refused");
      await payer.page.unroute(/\/(?:events|state\/)$/);
      await payer.page.evaluate("dispatchEvent(new Event('online'))");
      await payer.expectTitle("This payment was cancelled");
    }),
  );

  test("without JavaScript the page says what is to be paid", patience, () =>
    withShop(site.stage(), async (shop) => {
      const wallet = await shop.wallet("merchant", "USD");
      const deposit = await shop.deposit(wallet, invoice, "BTC");
      const { context } = await site.open(pagePath(deposit));
      const browser = present(context.browser(), "the browser");
      const plain = await browser.newContext({ javaScriptEnabled: false });
      plain.setDefaultTimeout(patienceMs);
      const page = await plain.newPage();
      await page.goto(`${site.origin()}${pagePath(deposit)}`);
      const address = addressOf(deposit);
      const words = await page.locator("#plain").innerText();
      expect(words).toContain(`Send 0.00200000 BTC on Bitcoin to ${address}`);
      await plain.close();
    }),
  );
});

function activeOption(page: Page): Promise<string> {
  return page.evaluate<string>(
    "document.getElementById(document.activeElement.getAttribute('aria-activedescendant')).innerText",
  );
}

/** Only text of one line that ends in dots on purpose may be wider than its place. */
function cutOff(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`
    [...document.querySelectorAll(".page *")]
      .filter((element) => element.closest(".visually-hidden, .txid, svg, select") === null)
      .filter((element) => [...element.childNodes].some(({ nodeType }) => nodeType === Node.TEXT_NODE))
      .filter((element) => element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== "inline")
      .map((element) => element.className + ": " + element.textContent)
  `);
}

type Bridge = {
  /** From now on the wallet answers a method with this error, and every other one rightly. */
  readonly refuse: (method: string, code: number) => void;
  /** How many transactions it has sent. */
  readonly sent: () => number;
};

/**
 * A wallet as a browser's extension is one (EIP-1193): it holds the keys of the private chain's first account, asks its
 * owner nothing, and stands on another network until it is told to switch.
 */
async function installWallet(context: BrowserContext, chain: ChainHand): Promise<Bridge> {
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
