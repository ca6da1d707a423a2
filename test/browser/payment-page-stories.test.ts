/**
 * Shows what payers see while they pay: on real chains, in a real browser, and without ever loading the page again. Each state
 * is kept as pictures and checked by axe.
 */
import { beforeAll, expect, test } from "vitest";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { formatTimestamp } from "../../src/platform/kernel/timestamp.ts";
import { addressOf, withShop } from "../scenarios/stage/shop.ts";
import { describeInBrowser } from "./support/browser-suite.ts";
import { openPayer, shopWords } from "./support/payment-page.ts";
import { pressAndSee } from "./support/visit.ts";

const patience = { timeout: 600_000 };
const invoice = { target_amount_requested: "100" };
const wayBack = {
  payment_page_redirect_url: "https://teapot.example/thanks?order=7",
  payment_page_button_text: "Back to your order",
};

describeInBrowser("payment pages", (site) => {
  beforeAll(async () => {
    const { owner } = site.stage();
    const { status, text } = await owner.ask("PATCH", "/payment-page/", shopWords);
    expect([status, text]).toEqual([200, expect.stringContaining("Blue Teapot")]);
  });

  test("bitcoin is chosen, paid and confirmed, and a second payment waits", patience, () =>
    withShop(site.stage(), async (shop) => {
      const wallet = await shop.wallet("merchant", "USD");
      const deposit = await shop.deposit(wallet, { ...invoice, ...wayBack });
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
        await pressAndSee(copy, `Copied: ${label}`);
        expect(await payer.page.evaluate("navigator.clipboard.readText()")).toBe(copied);
      }
      const link = payer.page.getByRole("link", { name: "Open in wallet app" });
      expect(await link.getAttribute("href")).toBe(`bitcoin:${address}?amount=0.002`);

      const txid = await site.stage().onChain("BTC", async (chain) => {
        const paid = await chain.pay("BTC", address, "0.002");
        await payer.expectTitle("Payment seen");
        await payer.expectText("Waiting for the first block");
        await payer.expectPresentable("seen");
        await chain.mine(1);
        await payer.expectText("1 of 2 confirmations");
        await payer.page.getByRole("progressbar").waitFor();
        await chain.mine(1);
        return paid;
      });
      await payer.expectTitle("Paid");
      await payer.expectText(txid);
      await payer.expectPresentable("paid");
      const back = payer.page.getByRole("link", { name: "Back to your order" });
      expect(await back.getAttribute("href")).toBe(wayBack.payment_page_redirect_url);
      expect(await back.getAttribute("rel")).toContain("noopener");
      await payer.expectSameDocument();

      await site.stage().onChain("BTC", async (chain) => {
        await chain.pay("BTC", address, "0.002");
        await chain.mine(2);
      });
      await payer.page.reload();
      await payer.expectTitle("Your payment needs a decision");
      await payer.expectText("A second payment arrived");
      await payer.expectPresentable("second-payment");
    }),
  );

  test("litecoin is paid in part, and then the rest", patience, () =>
    withShop(site.stage(), async (shop) => {
      const wallet = await shop.wallet("merchant", "USD");
      const deposit = await shop.deposit(wallet, invoice, "LTC");
      const payer = await openPayer(site, deposit);
      await payer.expectTitle("Waiting for payment");
      const asked = (await payer.field("Amount to send")).replace(" LTC", "");
      const half = String(Number(asked) / 2);
      await site.stage().onChain("LTC", async (chain) => {
        await chain.pay("LTC", addressOf(deposit), half);
        await payer.expectTitle("Part of it is missing");
        await expect.poll(() => payer.field("Still to send")).toBe(`${half} LTC`);
        expect(await payer.code()).toBe(`litecoin:${addressOf(deposit)}?amount=${half}`);
        await payer.expectPresentable("partial");
        await chain.pay("LTC", addressOf(deposit), half);
        await payer.expectTitle("Payment seen");
        await expect.poll(() => payer.page.getByRole("progressbar").count()).toBe(2);
        await chain.mine(6);
      });
      await payer.expectTitle("Paid");
      await payer.expectSameDocument();
    }),
  );

  test("too much waits for the shop, and a refund address can be left", patience, () =>
    withShop(site.stage(), async (shop) => {
      const wallet = await shop.wallet("merchant", "USD");
      const deposit = await shop.deposit(wallet, { ...invoice, ...wayBack }, "ETH");
      const payer = await openPayer(site, deposit);
      const { page } = payer;
      await payer.expectTitle("Waiting for payment");
      await site.stage().onChain("ETH", async (chain) => {
        await chain.pay("ETH", addressOf(deposit), "0.09");
        await chain.mine(13);
      });
      await payer.expectTitle("Your payment needs a decision");
      await payer.expectText("More arrived than was asked for");
      await payer.expectPresentable("overpaid");

      payer.expectErrors(/refund-address/);
      await page.getByRole("button", { name: "Leave address" }).click();
      await page.getByRole("alert").getByText("Enter an address.").waitFor();
      const field = page.getByLabel("Your ETH address");
      await field.fill("0x123");
      await page.getByRole("button", { name: "Leave address" }).click();
      await page.getByRole("alert").getByText("no valid address on Ethereum").waitFor();
      await expect.poll(() => field.getAttribute("aria-invalid")).toBe("true");
      await payer.expectPresentable("refund-error");
      const refund = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
      await field.fill(refund);
      await page.getByRole("button", { name: "Leave address" }).click();
      await payer.expectText("You left this address for a refund");
      const left = await page.locator(".refund .address").innerText();
      expect(left.replaceAll(/\s/g, "")).toBe(refund);
      await payer.expectPresentable("refund-left");

      await shop.resolve(deposit);
      await payer.expectTitle("Paid");
      await payer.expectSameDocument();
    }),
  );

  test("a token that was not asked for is shown, with what that means", patience, () =>
    withShop(site.stage(), async (shop) => {
      const wallet = await shop.wallet("merchant", "USD");
      const deposit = await shop.deposit(wallet, invoice, "ETH");
      const payer = await openPayer(site, deposit);
      await payer.expectTitle("Waiting for payment");
      await site.stage().onChain("ETH", (chain) => chain.pay("USDT-ETH", addressOf(deposit), "25"));
      await payer.expectText("Wrong coin");
      await payer.expectText("USDT-ETH was not asked for here");
      await payer.expectTitle("Waiting for payment");
      await payer.expectPresentable("wrong-token");
    }),
  );

  test("nothing, a part, too late: what becomes of it when the time is over", patience, () =>
    withShop(site.stage(), async (shop) => {
      const wallet = await shop.wallet("merchant", "USD");
      const timed = { ...invoice, ...wayBack, time_limit: 600 };
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
      await site.stage().onChain("ETH", async (chain) => {
        await chain.pay("ETH", addressOf(part), "0.02");
        await chain.mine(13);
      });
      await payers[1].expectTitle("Part of it is missing");
      // As if the ten minutes were over: however long all of it took so far, and none of them has to pass.
      await site
        .stage()
        .sql("update deposit set expires_at = $2 where id = any($1::bigint[])", [
          [nothing, part, late, unchosen].map(({ id }) => id),
          formatTimestamp(systemClock.now()),
        ]);
      await payers[0].expectTitle("The time to pay is over");
      await payers[3].expectTitle("The time to pay is over");
      await payers[1].expectTitle("Your payment needs a decision");
      await payers[1].expectText("Only a part arrived");
      await payers[0].expectPresentable("expired");
      await payers[1].expectPresentable("partial-at-expiry");
      // Blocks tell their time in whole seconds: one of the very second of the expiry would be in time.
      await shop.waitSeconds(2);
      await site.stage().onChain("ETH", async (chain) => {
        await chain.pay("ETH", addressOf(late), "0.04");
        await chain.mine(13);
      });
      await payers[2].expectTitle("Your payment needs a decision");
      await payers[2].expectText("arrived after the time was over");
      await payers[2].expectPresentable("late");
      for (const payer of payers) await payer.expectSameDocument();
    }),
  );

  test("what the shop cancels is told, and what any amount is asked for counts up", patience, () =>
    withShop(site.stage(), async (shop) => {
      const merchant = await shop.wallet("merchant", "USD");
      const cancelled = await shop.deposit(merchant, invoice, "BTC");
      const payer = await openPayer(site, cancelled);
      await payer.expectTitle("Waiting for payment");
      await shop.cancel(cancelled);
      await payer.expectTitle("This payment was cancelled");
      await payer.expectPresentable("cancelled");

      const deposit = await shop.deposit(await shop.wallet("enterprise", "ETH"));
      const giver = await openPayer(site, deposit);
      await giver.expectText("Send any amount");
      expect(await giver.code()).toContain(addressOf(deposit));
      await giver.expectPresentable("any-amount");
      await site.stage().onChain("ETH", async (chain) => {
        await chain.pay("ETH", addressOf(deposit), "0.5");
        await chain.mine(13);
      });
      await giver.expectText("0.5 ETH");
      await giver.expectPresentable("any-amount-paid");
    }),
  );
});
