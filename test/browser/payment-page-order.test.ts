/**
 * Tests that an open payment page ends up correct in any order of events: overtaken responses, processes with different clocks,
 * slowly loading languages, hidden and cached pages, and two pages of one payment.
 */
import type { Page, Route } from "playwright-core";
import { expect, it } from "vitest";
import { addressOf, withShop } from "../scenarios/support/shop.ts";
import { describeInBrowser } from "./support/browser-suite.ts";
import { openPayer, pagePath, payerOf } from "./support/payment-page.ts";

const patience = { timeout: 900_000 };
const invoice = { target_amount_requested: "100" };
const state = /\/state\/$/;

describeInBrowser("updates of the payment page", (site) => {
  it("requests the state again after a response that an event overtook", patience, () =>
    withShop(site.testSite(), async (shop) => {
      const deposit = await shop.deposit(await shop.wallet("merchant", "USD"), invoice, "BTC");
      const payer = await openPayer(site, deposit);
      const { page } = payer;
      await payer.expectTitle("Waiting for payment");
      await page.getByText("Live updates are on.").waitFor();
      const titles = await recordTitles(page);
      const late = await delayNext(page, state);
      await setVisibility(page, ["hidden", "visible"]);
      const body = await late.answer;
      await site.testSite().onChain("BTC", async (chain) => {
        await chain.pay("BTC", addressOf(deposit), "0.002");
        await payer.expectTitle("Payment detected");
        const again = page.waitForResponse(state);
        // Sent by a process whose clock is ahead.
        await late.release(body.replace(/"now":"[^"]*"/, `"now":"${inFiveMinutes()}"`));
        // The delayed response, and the request that it causes.
        await again;
        await page.waitForResponse(state);
        await payer.expectTitle("Payment detected");
        expect(await titles()).toEqual(["Payment detected"]);
        await chain.mine(2);
      });
      await payer.expectTitle("Paid");
      await payer.expectSameDocument();
    }),
  );

  it("follows later updates when the first process's clock was ahead", patience, () =>
    withShop(site.testSite(), async (shop) => {
      const wallet = await shop.wallet("merchant", "USD");
      const deposit = await shop.deposit(wallet, { ...invoice, time_limit: 7_200 }, "BTC");
      const visit = await site.open("/healthz", { device: "phone" });
      const { page } = visit;
      const path = pagePath(deposit);
      await page.route(`**${path}`, async (route) => {
        const answer = await route.fetch();
        const html = await answer.text();
        const body = html.replace(/"now":"[^"]*"/, `"now":"${inFiveMinutes()}"`);
        await route.fulfill({ response: answer, body });
      });
      await page.goto(path);
      const payer = await payerOf(visit);
      await payer.expectTitle("Waiting for payment");
      await page
        .getByRole("timer")
        .getByText(/^(?:2:00:00|1:5[6-9]:\d\d)$/)
        .waitFor();
      await site.testSite().onChain("BTC", async (chain) => {
        await chain.pay("BTC", addressOf(deposit), "0.002");
        await payer.expectTitle("Payment detected");
        await chain.mine(2);
      });
      await payer.expectTitle("Paid");
      await payer.expectSameDocument();
    }),
  );

  it("uses the second of two languages selected in quick succession", patience, () =>
    withShop(site.testSite(), async (shop) => {
      const deposit = await shop.deposit(await shop.wallet("merchant", "USD"), invoice, "BTC");
      const payer = await openPayer(site, deposit);
      const { page } = payer;
      await payer.expectTitle("Waiting for payment");
      const late = await delayNext(page, /\/assets\/es-[^/]*\.js$/);
      await page.getByLabel("Language").selectOption("es");
      const script = await late.answer;
      await page.getByLabel("Language").selectOption("de");
      await payer.expectTitle("Warten auf Zahlung");
      const titles = await recordTitles(page);
      await late.release(script);
      // Resolves after the page's own import of the same script.
      await page.evaluate(
        `import(${JSON.stringify(late.url())}).then(() => new Promise(requestAnimationFrame))`,
      );
      expect(await titles()).toEqual([]);
      await page.reload();
      await payer.expectTitle("Warten auf Zahlung");
    }),
  );

  it("renews a rate that expired in a hidden tab when the tab is shown", patience, () =>
    withShop(site.testSite(), async (shop) => {
      const deposit = await shop.deposit(await shop.wallet("merchant", "USD"), invoice, "BTC");
      const payer = await openPayer(site, deposit);
      const { page } = payer;
      await page.getByText("Rate locked until").first().waitFor();
      await setVisibility(page, ["hidden"]);
      await site
        .testSite()
        .sql(
          "update deposit set rate_expires_at = created_at + interval '1 millisecond' where id = $1",
          [deposit.id],
        );
      await page.getByRole("button", { name: "Update exchange rate" }).waitFor();
      await setVisibility(page, ["visible"]);
      await page
        .getByText(/Rate locked until \d+:\d\d/)
        .first()
        .waitFor();
      await payer.expectSameDocument();
    }),
  );

  it("shows the current state when restored from the back/forward cache", patience, () =>
    withShop(site.testSite(), async (shop) => {
      const deposit = await shop.deposit(await shop.wallet("merchant", "USD"), invoice, "BTC");
      const payer = await openPayer(site, deposit);
      const { page } = payer;
      await page.getByText("Live updates are on.").waitFor();
      await page.evaluate(
        "dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))",
      );
      await site.testSite().onChain("BTC", async (chain) => {
        await chain.pay("BTC", addressOf(deposit), "0.002");
        await chain.mine(2);
      });
      await shop.expectDeposit(deposit, { target_paid: "100.00" });
      await payer.expectTitle("Waiting for payment");
      await page.evaluate(
        "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))",
      );
      await payer.expectTitle("Paid");
      await payer.expectSameDocument();
    }),
  );

  it("stops following half an hour after the payment expired", patience, () =>
    withShop(site.testSite(), async (shop) => {
      const wallet = await shop.wallet("merchant", "USD");
      const deposit = await shop.deposit(wallet, { ...invoice, time_limit: 600 }, "BTC");
      const payer = await openPayer(site, deposit);
      const { page } = payer;
      const following = page.getByText("Live updates are on.");
      await following.waitFor();
      await site
        .testSite()
        .sql("update deposit set expires_at = created_at + interval '1 second' where id = $1", [
          deposit.id,
        ]);
      await payer.expectTitle("This payment has expired");
      await following.waitFor();
      await page.evaluate("{ const now = Date.now; Date.now = () => now() + 1_860_000; }");
      await following.waitFor({ state: "hidden" });
      await payer.expectTitle("This payment has expired");
      await payer.expectSameDocument();
    }),
  );

  it("shows the first of two conflicting choices on both pages", patience, () =>
    withShop(site.testSite(), async (shop) => {
      const deposit = await shop.deposit(await shop.wallet("merchant", "USD"), invoice);
      const [slow, quick] = [await openPayer(site, deposit), await openPayer(site, deposit)];
      await slow.expectTitle("Choose how to pay");
      const held = Promise.withResolvers<Route>();
      await slow.page.route(/\/choose\/$/, held.resolve, { times: 1 });
      slow.expectErrors(/409.*choose/);
      await slow.choose("Bitcoin", "Bitcoin");
      const route = await held.promise;
      await quick.choose("Litecoin", "Litecoin");
      await quick.expectTitle("Waiting for payment");
      await slow.expectTitle("Waiting for payment");
      await slow.expectText("on Litecoin");
      const refused = slow.page.waitForResponse(/\/choose\/$/);
      await route.continue();
      expect((await refused).status()).toBe(409);
      await slow.page.waitForResponse(state);
      await slow.expectText("on Litecoin");
      expect(await slow.field("Address")).toBe(await quick.field("Address"));
    }),
  );
});

function inFiveMinutes(): string {
  return new Date(Date.now() + 300_000).toISOString();
}

/** Hides and shows the page like a browser tab. */
async function setVisibility(page: Page, states: readonly ("hidden" | "visible")[]): Promise<void> {
  await page.evaluate(`for (const state of ${JSON.stringify(states)}) {
    Object.defineProperty(document, "visibilityState", { configurable: true, value: state });
    document.dispatchEvent(new Event("visibilitychange"));
  }`);
}

type DelayedResponse = {
  /** The body of the service's response. */
  readonly answer: Promise<string>;
  readonly url: () => string;
  /** Delivers a body to the page. */
  readonly release: (body: string) => Promise<void>;
};

/** Delays the response to the next request for a URL. */
async function delayNext(page: Page, address: RegExp): Promise<DelayedResponse> {
  const answered = Promise.withResolvers<string>();
  let release: DelayedResponse["release"] = () => Promise.resolve();
  let url = "";
  await page.route(
    address,
    async (route) => {
      const response = await route.fetch();
      url = route.request().url();
      release = (body) => route.fulfill({ response, body });
      answered.resolve(await response.text());
    },
    { times: 1 },
  );
  return { answer: answered.promise, url: () => url, release: (body) => release(body) };
}

/** Records every title that the page shows, however briefly. */
async function recordTitles(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(`(() => {
    const title = () => document.querySelector("h1").textContent;
    let last = title();
    window.titles = [];
    new MutationObserver(() => {
      if (title() !== last) window.titles.push((last = title()));
    }).observe(document.querySelector("main"), { subtree: true, childList: true, characterData: true });
  })()`);
  return () => page.evaluate<readonly string[]>("window.titles");
}
