/** Tests the payment page on real chains in a real browser, without reloads. Takes screenshots of each state and checks it with axe. */
import { beforeAll, expect, it } from "vitest";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { formatTimestamp } from "../../src/platform/kernel/timestamp.ts";
import { addressOf, withShop } from "../scenarios/support/shop.ts";
import { describeInBrowser } from "./support/browser-suite.ts";
import { openPayer, pageSettings } from "./support/payment-page.ts";
import { clickAndExpectLabel } from "./support/visit.ts";

const patience = { timeout: 900_000 };
const invoice = {
  target_amount_requested: "100",
  tracking_id: "4711",
  description: "Teapot, blue, 1 liter",
};
const returnLink = {
  payment_page_redirect_url: "https://teapot.example/thanks?order=7",
  payment_page_button_text: "Back to your order",
};

describeInBrowser("the payment page", (site) => {
  beforeAll(async () => {
    const { owner } = site.testSite();
    const { status, text } = await owner.ask("PATCH", "/store-settings/", pageSettings);
    expect([status, text]).toEqual([200, expect.stringContaining("Blue Teapot")]);
  });

  it(
    "shows choice, payment and confirmation of BTC, and puts a second payment on hold",
    patience,
    () =>
      withShop(site.testSite(), async (shop) => {
        const wallet = await shop.wallet("merchant", "USD");
        const deposit = await shop.deposit(wallet, { ...invoice, ...returnLink });
        const payer = await openPayer(site, deposit);
        await payer.expectTitle("Choose how to pay");
        await payer.expectPresentable("choose");
        await payer.choose("Bitcoin", "Bitcoin");
        await payer.expectTitle("Waiting for payment");
        const tag = () => payer.page.evaluate("document.activeElement.tagName");
        await expect.poll(tag).toBe("H1");
        await payer.expectPresentable("waiting");

        const address = addressOf({ ...deposit, attributes: await shop.read(deposit) });
        expect(await payer.field("Amount to send")).toBe("0.002 BTC");
        expect((await payer.field("Address")).replaceAll(/\s/g, "")).toBe(address);
        expect(await payer.code()).toBe(`bitcoin:${address}?amount=0.002`);
        for (const [label, copied] of [
          ["Amount to send", "0.002"],
          ["Address", address],
        ] as const) {
          const copy = payer.page.getByRole("button", { name: `Copy: ${label}` });
          await clickAndExpectLabel(copy, `Copied: ${label}`);
          expect(await payer.page.evaluate("navigator.clipboard.readText()")).toBe(copied);
        }
        const link = payer.page.getByRole("link", { name: "Open in wallet app" });
        expect(await link.getAttribute("href")).toBe(`bitcoin:${address}?amount=0.002`);

        const txid = await site.testSite().onChain("BTC", async (chain) => {
          const paid = await chain.pay("BTC", address, "0.002");
          await payer.expectTitle("Payment detected");
          await payer.expectText("Waiting for the first confirmation");
          await payer.expectPresentable("seen");
          await chain.mine(1);
          await payer.expectText("1 of 2 confirmations");
          await payer.page.getByRole("progressbar").waitFor();
          await chain.mine(1);
          return paid;
        });
        await payer.expectTitle("Paid");
        await payer.expectText(txid);
        for (const text of ["Teapot, blue, 1 liter", "4711", "VAT DE 123456789"])
          await payer.expectText(text);
        await payer.expectPresentable("paid");
        const back = payer.page.getByRole("link", { name: "Back to your order" });
        expect(await back.getAttribute("href")).toBe(returnLink.payment_page_redirect_url);
        expect(await back.getAttribute("rel")).toContain("noopener");
        await payer.expectSameDocument();

        await site.testSite().onChain("BTC", async (chain) => {
          await chain.pay("BTC", address, "0.002");
          await chain.mine(2);
        });
        await payer.page.reload();
        await payer.expectTitle("Your payment is under review");
        await payer.expectText("You sent a second payment");
        await payer.expectPresentable("second-payment");
      }),
  );

  it("shows a partial payment in LTC and then the rest", patience, () =>
    withShop(site.testSite(), async (shop) => {
      const wallet = await shop.wallet("merchant", "USD");
      const deposit = await shop.deposit(wallet, invoice, "LTC");
      const payer = await openPayer(site, deposit);
      await payer.expectTitle("Waiting for payment");
      const requested = (await payer.field("Amount to send")).replace(" LTC", "");
      const half = String(Number(requested) / 2);
      await site.testSite().onChain("LTC", async (chain) => {
        await chain.pay("LTC", addressOf(deposit), half);
        await payer.expectTitle("Partially paid");
        await expect.poll(() => payer.field("Amount remaining")).toBe(`${half} LTC`);
        expect(await payer.code()).toBe(`litecoin:${addressOf(deposit)}?amount=${half}`);
        await payer.expectPresentable("partial");
        await chain.pay("LTC", addressOf(deposit), half);
        await payer.expectTitle("Payment detected");
        await expect.poll(() => payer.page.getByRole("progressbar").count()).toBe(2);
        await chain.mine(6);
      });
      await payer.expectTitle("Paid");
      await payer.expectSameDocument();
    }),
  );

  it("puts an overpayment on hold and saves a refund address", patience, () =>
    withShop(site.testSite(), async (shop) => {
      const wallet = await shop.wallet("merchant", "USD");
      const deposit = await shop.deposit(wallet, { ...invoice, ...returnLink }, "ETH");
      const payer = await openPayer(site, deposit);
      const { page } = payer;
      await payer.expectTitle("Waiting for payment");
      await site.testSite().onChain("ETH", async (chain) => {
        await chain.pay("ETH", addressOf(deposit), "0.09");
        await chain.mine(13);
      });
      await payer.expectTitle("Your payment is under review");
      await payer.expectText(/You paid 0\.05\sETH more than the amount due/);
      await payer.expectPresentable("overpaid");

      payer.expectErrors(/refund-address/);
      await page.getByRole("button", { name: "Save refund address" }).click();
      await page.getByRole("alert").getByText("Enter an address.").waitFor();
      const field = page.getByLabel("Your ETH address");
      await field.fill("0x123");
      await page.getByRole("button", { name: "Save refund address" }).click();
      await page.getByRole("alert").getByText("Enter a valid Ethereum address.").waitFor();
      await expect.poll(() => field.getAttribute("aria-invalid")).toBe("true");
      await payer.expectPresentable("refund-error");
      const refund = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
      await field.fill(refund);
      await page.getByRole("button", { name: "Save refund address" }).click();
      await payer.expectText("Your refund address:");
      const left = await page.locator(".refund .address").innerText();
      expect(left.replaceAll(/\s/g, "")).toBe(refund);
      await payer.expectText("It can't be changed here. If it is wrong, contact the store.");
      await payer.expectPresentable("refund-left");

      await shop.resolve(deposit);
      await payer.expectTitle("Paid");
      await payer.expectSameDocument();
    }),
  );

  it("shows a payment in the wrong token with an explanation", patience, () =>
    withShop(site.testSite(), async (shop) => {
      const wallet = await shop.wallet("merchant", "USD");
      const deposit = await shop.deposit(wallet, invoice, "ETH");
      const payer = await openPayer(site, deposit);
      await payer.expectTitle("Waiting for payment");
      await site
        .testSite()
        .onChain("ETH", (chain) => chain.pay("USDT-ETH", addressOf(deposit), "25"));
      await payer.expectText("Wrong currency");
      await payer.expectText("The store didn't request USDT, so this payment wasn't credited.");
      await payer.expectTitle("Waiting for payment");
      await payer.expectPresentable("wrong-token");
    }),
  );

  it(
    "shows expiry without payment, with a partial payment, and with a late payment",
    patience,
    () =>
      withShop(site.testSite(), async (shop) => {
        const wallet = await shop.wallet("merchant", "USD");
        const timed = { ...invoice, ...returnLink, time_limit: 600 };
        const open = (): ReturnType<typeof shop.deposit> => shop.deposit(wallet, timed, "ETH");
        const [nothing, part, late] = [await open(), await open(), await open()];
        const unchosen = await shop.deposit(wallet, timed);
        const payers = await Promise.all([
          openPayer(site, nothing),
          openPayer(site, part),
          openPayer(site, late),
          openPayer(site, unchosen),
        ]);
        await payers[0].page
          .getByRole("timer")
          .getByText(/\d:[0-5]\d/)
          .waitFor();
        await site.testSite().onChain("ETH", async (chain) => {
          await chain.pay("ETH", addressOf(part), "0.02");
          await chain.mine(13);
        });
        await payers[1].expectTitle("Partially paid");
        // Sets the expiry to now instead of waiting ten minutes.
        await site
          .testSite()
          .sql("update deposit set expires_at = $2 where id = any($1::bigint[])", [
            [nothing, part, late, unchosen].map(({ id }) => id),
            formatTimestamp(systemClock.now()),
          ]);
        await payers[0].expectTitle("This payment has expired");
        await payers[3].expectTitle("This payment has expired");
        await payers[1].expectTitle("Your payment is under review");
        await payers[1].expectText("You paid less than the amount due");
        await payers[0].expectPresentable("expired");
        await payers[1].expectPresentable("partial-at-expiry");
        // Block times have whole seconds: a block in the second of the expiry would be in time.
        await shop.waitSeconds(2);
        await site.testSite().onChain("ETH", async (chain) => {
          await chain.pay("ETH", addressOf(late), "0.04");
          await chain.mine(13);
        });
        await payers[2].expectTitle("Your payment is under review");
        await payers[2].expectText("Your payment arrived after the time limit");
        await payers[2].expectPresentable("late");
        for (const payer of payers) await payer.expectSameDocument();
      }),
  );

  it("shows a canceled payment, and sums payments without a requested amount", patience, () =>
    withShop(site.testSite(), async (shop) => {
      const merchant = await shop.wallet("merchant", "USD");
      const canceled = await shop.deposit(merchant, invoice, "BTC");
      const payer = await openPayer(site, canceled);
      await payer.expectTitle("Waiting for payment");
      await shop.cancel(canceled);
      await payer.expectTitle("This payment was canceled");
      await payer.expectPresentable("canceled");

      const deposit = await shop.deposit(await shop.wallet("enterprise", "ETH"));
      const donor = await openPayer(site, deposit);
      await donor.expectText("Send any amount");
      expect(await donor.code()).toContain(addressOf(deposit));
      await donor.expectPresentable("any-amount");
      await site.testSite().onChain("ETH", async (chain) => {
        await chain.pay("ETH", addressOf(deposit), "0.5");
        await chain.mine(13);
      });
      await donor.expectText("0.5 ETH");
      await donor.expectPresentable("any-amount-paid");
    }),
  );
});
