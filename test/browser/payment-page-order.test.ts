/**
 * Shows that an open payment page is right whatever the order in which it hears of things: answers that are overtaken, processes
 * of the service whose clocks differ, languages that load slowly, pages that were hidden or kept in memory, and two pages of one payment.
 */
import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { addressOf, withShop } from "../scenarios/stage/shop.ts";
import { describeInBrowser } from "./support/browser-suite.ts";
import { openPayer, pagePath, payerOf } from "./support/payment-page.ts";

const patience = { timeout: 600_000 };
const invoice = { target_amount_requested: "100" };
const state = /\/state\/$/;

describeInBrowser("the order in which a payment page hears", (site) => {
  test("an answer that was overtaken by an event is asked for again", patience, () =>
    withShop(site.stage(), async (shop) => {
      const deposit = await shop.deposit(await shop.wallet("merchant", "USD"), invoice, "BTC");
      const payer = await openPayer(site, deposit);
      const { page } = payer;
      await payer.expectTitle("Waiting for payment");
      await page.getByText("This page updates by itself.").waitFor();
      const titles = await keepTitles(page);
      const late = await holdNext(page, state);
      await show(page, ["hidden", "visible"]);
      const body = await late.answer;
      await site.stage().onChain("BTC", async (chain) => {
        await chain.pay("BTC", addressOf(deposit), "0.002");
        await payer.expectTitle("Payment seen");
        const again = page.waitForResponse(state);
        // As a process of the service says it whose clock is ahead.
        await late.release(body.replace(/"now":"[^"]*"/, `"now":"${inFiveMinutes()}"`));
        // The one that was held, and the one that it makes the page ask.
        await again;
        await page.waitForResponse(state);
        await payer.expectTitle("Payment seen");
        expect(await titles()).toEqual(["Payment seen"]);
        await chain.mine(2);
      });
      await payer.expectTitle("Paid");
      await payer.expectSameDocument();
    }),
  );

  test("a page from a process whose clock is ahead follows the others", patience, () =>
    withShop(site.stage(), async (shop) => {
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
      await site.stage().onChain("BTC", async (chain) => {
        await chain.pay("BTC", addressOf(deposit), "0.002");
        await payer.expectTitle("Payment seen");
        await chain.mine(2);
      });
      await payer.expectTitle("Paid");
      await payer.expectSameDocument();
    }),
  );

  test("of two languages asked for one after the other the second is spoken", patience, () =>
    withShop(site.stage(), async (shop) => {
      const deposit = await shop.deposit(await shop.wallet("merchant", "USD"), invoice, "BTC");
      const payer = await openPayer(site, deposit);
      const { page } = payer;
      await payer.expectTitle("Waiting for payment");
      const late = await holdNext(page, /\/assets\/es-[^/]*\.js$/);
      await page.getByLabel("Language").selectOption("es");
      const script = await late.answer;
      await page.getByLabel("Language").selectOption("de");
      await payer.expectTitle("Warten auf Zahlung");
      const titles = await keepTitles(page);
      await late.release(script);
      // Who asked for it before has it before.
      await page.evaluate(
        `import(${JSON.stringify(late.url())}).then(() => new Promise(requestAnimationFrame))`,
      );
      expect(await titles()).toEqual([]);
      await page.reload();
      await payer.expectTitle("Warten auf Zahlung");
    }),
  );

  test("a price that runs out while nobody looks is renewed when somebody does", patience, () =>
    withShop(site.stage(), async (shop) => {
      const deposit = await shop.deposit(await shop.wallet("merchant", "USD"), invoice, "BTC");
      const payer = await openPayer(site, deposit);
      const { page } = payer;
      await page.getByText("Price fixed for").first().waitFor();
      await show(page, ["hidden"]);
      await site
        .stage()
        .sql(
          "update deposit set rate_expires_at = created_at + interval '1 millisecond' where id = $1",
          [deposit.id],
        );
      await page.getByRole("button", { name: "Get the current price" }).waitFor();
      await show(page, ["visible"]);
      await page
        .getByText(/Price fixed for 1[0-5]:\d\d/)
        .first()
        .waitFor();
      await payer.expectSameDocument();
    }),
  );

  test("a page that comes back from memory shows what happened meanwhile", patience, () =>
    withShop(site.stage(), async (shop) => {
      const deposit = await shop.deposit(await shop.wallet("merchant", "USD"), invoice, "BTC");
      const payer = await openPayer(site, deposit);
      const { page } = payer;
      await page.getByText("This page updates by itself.").waitFor();
      await page.evaluate(
        "dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))",
      );
      await site.stage().onChain("BTC", async (chain) => {
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

  test("half an hour after the time is over the page waits for nothing any more", patience, () =>
    withShop(site.stage(), async (shop) => {
      const wallet = await shop.wallet("merchant", "USD");
      const deposit = await shop.deposit(wallet, { ...invoice, time_limit: 600 }, "BTC");
      const payer = await openPayer(site, deposit);
      const { page } = payer;
      const following = page.getByText("This page updates by itself.");
      await following.waitFor();
      await site
        .stage()
        .sql("update deposit set expires_at = created_at + interval '1 second' where id = $1", [
          deposit.id,
        ]);
      await payer.expectTitle("The time to pay is over");
      await following.waitFor();
      await page.evaluate("{ const now = Date.now; Date.now = () => now() + 1_860_000; }");
      await following.waitFor({ state: "hidden" });
      await payer.expectTitle("The time to pay is over");
      await payer.expectSameDocument();
    }),
  );

  test("of two choices on two pages the first one counts, and both pages show it", patience, () =>
    withShop(site.stage(), async (shop) => {
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

/** The page is hidden or shown, as by its tab. */
async function show(page: Page, states: readonly ("hidden" | "visible")[]): Promise<void> {
  await page.evaluate(`for (const state of ${JSON.stringify(states)}) {
    Object.defineProperty(document, "visibilityState", { configurable: true, value: state });
    document.dispatchEvent(new Event("visibilitychange"));
  }`);
}

type Held = {
  /** What the service answered. */
  readonly answer: Promise<string>;
  readonly url: () => string;
  /** Lets the page have an answer at last. */
  readonly release: (body: string) => Promise<void>;
};

/** The service answers the next question to such an address, and the page does not hear of it yet. */
async function holdNext(page: Page, address: RegExp): Promise<Held> {
  const answered = Promise.withResolvers<string>();
  let release: Held["release"] = () => Promise.resolve();
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

/** From now on each title that the page shows, however shortly. */
async function keepTitles(page: Page): Promise<() => Promise<readonly string[]>> {
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
