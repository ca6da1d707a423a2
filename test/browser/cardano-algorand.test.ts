/**
 * ADA, ALGO and USDC-ALGO on the pages of payers and merchants, on the sandbox's simulated networks: payment page with URI and QR code, an
 * address of Algorand before and after its activation, deposits and payouts in the dashboard, and that everything says that it is simulated.
 */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import { openThirdParty } from "../scenarios/payers/open-third-party.ts";
import type { ThirdParty } from "../scenarios/payers/third-party.ts";
import type { Resource } from "../scenarios/support/api-client.ts";
import { settled } from "../scenarios/support/callbacks.ts";
import { unitsOf } from "../scenarios/support/money.ts";
import { addressOf, type Shop, withShop } from "../scenarios/support/shop.ts";
import { currencyOf, inFull } from "../scenarios/support/test-site.ts";
import { describeInBrowser } from "./support/browser-suite.ts";
import { openDashboard } from "./support/open-dashboard.ts";
import { openPayer } from "./support/payment-page.ts";
import { presentable } from "./support/presentable.ts";

const patience = { timeout: 900_000 };
const testOnly = "Test payment. No real money is transferred.";
const preparing = "The payment address is being prepared. It appears here within seconds.";
/** Where money is first pending, and then confirmed. */
const chainOf = { ADA: "ADA", ALGO: "ALGO", "USDC-ALGO": "ALGO" } as const;
type Alpha = keyof typeof chainOf;

describeInBrowser(
  "ADA and ALGO on the pages",
  (site) => {
    const withPayer = async <Result>(
      alpha: Alpha,
      work: (payer: ThirdParty) => Promise<Result>,
    ): Promise<Result> => {
      const chain = chainOf[alpha];
      const reached = present(site.deployment().chains[chain], "the chain");
      expect(reached).toMatchObject({ simulated: true });
      const payer = await openThirdParty(chain, reached, site.testSite());
      try {
        return await work(payer);
      } finally {
        await payer.close();
      }
    };
    const confirm = (alpha: Alpha) =>
      site
        .testSite()
        .onChain(chainOf[alpha], (control) =>
          control.mine(currencyOf(alpha).confirmationBlocks + 1),
        );
    /** Without payouts on Algorand no address is activated either. */
    const withoutActivation = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      const { owner } = site.testSite();
      const attributes = { scope: "chain", chain: "ALGO", reason: "Addresses wait." };
      const { id } = await owner.post("/kill-switch/", {
        data: { type: "kill-switch", attributes },
      });
      try {
        return await work();
      } finally {
        await owner.ask("POST", `/kill-switch/${id}/release/`);
      }
    };
    const withAddress = async (shop: Shop, deposit: Resource): Promise<string> => {
      const attributes = await settled(
        () => shop.read(deposit),
        ({ address }) => address !== null,
      );
      return addressOf({ ...deposit, attributes });
    };
    /** A wallet that received the amount. */
    const funded = async (shop: Shop, alpha: Alpha, amount: string): Promise<string> => {
      const wallet = await shop.wallet("enterprise", alpha);
      const address = await withAddress(shop, await shop.deposit(wallet));
      await withPayer(alpha, ({ pay }) => pay(alpha, { address, tag: null }, amount));
      await confirm(alpha);
      await shop.expectBalance(wallet, inFull(amount, alpha), inFull("0", alpha));
      return wallet;
    };

    it("let a payer choose ADA, and pay it by link or QR code", patience, () =>
      withShop(site.testSite(), async (shop) => {
        const wallet = await shop.wallet("merchant", "USD");
        const deposit = await shop.deposit(wallet, { target_amount_requested: "20" });
        const payer = await openPayer(site, deposit);
        await payer.expectTitle("Choose how to pay");
        await payer.expectPresentable("ada-algo-choose");
        await payer.choose("Cardano", "Cardano");
        await payer.expectTitle("Waiting for payment");
        await payer.page.getByText(testOnly).waitFor();
        const address = addressOf({ ...deposit, attributes: await shop.read(deposit) });
        const amount = (await payer.field("Amount to send")).replace(/\s*ADA$/, "");
        expect((await payer.field("Address")).replaceAll(/\s/g, "")).toBe(address);
        const uri = `web+cardano:${address}?amount=${amount}`;
        expect(await payer.code()).toBe(uri);
        const link = payer.page.getByRole("link", { name: "Open in wallet app" });
        expect(await link.getAttribute("href")).toBe(uri);
        await payer.expectPresentable("ada-waiting");
        await withPayer("ADA", ({ pay }) => pay("ADA", { address, tag: null }, amount));
        await payer.expectTitle("Payment detected");
        await confirm("ADA");
        await payer.expectTitle("Paid");
        await payer.page.getByText(testOnly).waitFor();
        await payer.expectPresentable("ada-paid");
        await payer.expectSameDocument();
      }),
    );

    it.each([
      { alpha: "ALGO", name: "Algorand", asset: "" },
      { alpha: "USDC-ALGO", name: "USD Coin", asset: "&asset=" },
    ] as const)(
      "say that the address for $alpha is being prepared, and show it once it is active",
      patience,
      ({ alpha, name, asset }) =>
        withShop(site.testSite(), async (shop) => {
          const wallet = await shop.wallet("merchant", "USD");
          const deposit = await shop.deposit(wallet, { target_amount_requested: "20" });
          const payer = await openPayer(site, deposit);
          await payer.expectTitle("Choose how to pay");
          await withoutActivation(async () => {
            await payer.choose(name, "Algorand");
            await payer.expectTitle("Waiting for payment");
            await payer.expectText(preparing);
            expect(await payer.page.locator("svg.qr").count()).toBe(0);
            expect(await shop.read(deposit)).toMatchObject({ is_active: false, address: null });
            await payer.expectPresentable(`${alpha.toLowerCase()}-preparing`);
          });
          const address = await withAddress(shop, deposit);
          await expect
            .poll(async () => (await payer.field("Address")).replaceAll(/\s/g, ""))
            .toBe(address);
          const shown = payer.page.getByRole("main");
          await expect.poll(() => shown.getByText(preparing).count()).toBe(0);
          // What activated the address is no payment.
          expect(await shown.getByText("Payments received").count()).toBe(0);
          await payer.page.getByText(testOnly).waitFor();
          const symbol = alpha.split("-")[0] ?? "";
          const amount = (await payer.field("Amount to send")).replace(symbol, "").trim();
          const code = await payer.code();
          expect(code).toContain(`algorand://${address}?amount=${unitsOf(amount, alpha)}${asset}`);
          const link = payer.page.getByRole("link", { name: "Open in wallet app" });
          expect(await link.getAttribute("href")).toBe(code);
          await payer.expectPresentable(`${alpha.toLowerCase()}-waiting`);
          await withPayer(alpha, ({ pay }) => pay(alpha, { address, tag: null }, amount));
          await confirm(alpha);
          await payer.expectTitle("Paid");
          await payer.expectSameDocument();
        }),
    );

    it("create a deposit of ALGO, and show its activation and its payment", patience, () =>
      withShop(site.testSite(), async (shop) => {
        const wallet = await shop.wallet("enterprise", "ALGO");
        const visit = await openDashboard(site, `/deposits/new?wallet=${wallet}`);
        const { page } = visit;
        await page.getByRole("textbox", { name: "Label" }).fill("Coffee");
        await withoutActivation(async () => {
          await page.getByRole("button", { name: "Create deposit" }).click();
          await page
            .getByText("The address is being prepared. It appears within seconds.")
            .waitFor();
          await presentable(visit, "dashboard-algo-preparing");
          await page.getByRole("link", { name: "View deposit" }).click();
          await page.getByRole("heading", { level: 1, name: "Coffee" }).waitFor();
        });
        const deposit = await shop.client.get(`/deposit/${idIn(page)}/`);
        const address = await withAddress(shop, deposit);
        await page.getByText(address.slice(0, 8)).first().waitFor();
        await withPayer("ALGO", ({ pay }) => pay("ALGO", { address, tag: null }, "12.5"));
        await confirm("ALGO");
        const transfers = page.getByRole("table", { name: "Transfers of this deposit" });
        await transfers.getByText("12.50").first().waitFor();
        await page.getByText("Address activated").first().waitFor();
        await page.evaluate("scrollTo(0, 0)");
        await presentable(visit, "dashboard-algo-deposit");
        await page.goto(`/ui/transfers?filter[op_type]=49`);
        await page.getByRole("cell", { name: `Address activation ${deposit.id}` }).waitFor();
        await presentable(visit, "dashboard-algo-activations");
      }),
    );

    it.each(["ADA", "ALGO", "USDC-ALGO"] as const)(
      "pay %s out at the quoted fee",
      patience,
      (alpha) =>
        withShop(site.testSite(), (shop) =>
          withPayer(alpha, async (outside) => {
            const wallet = await funded(shop, alpha, "50");
            const receiver = await outside.receiver(alpha);
            const before = await receiver.held();
            const visit = await openDashboard(site, `/payouts/new?wallet=${wallet}`);
            const { page } = visit;
            const label = `Payout of ${alpha}`;
            await page
              .getByRole("textbox", { name: "Address", exact: true })
              .fill(receiver.address);
            await next(page);
            const symbol = alpha.split("-")[0] ?? "";
            await page.getByRole("textbox", { name: `Amount (${symbol}` }).fill("12.5");
            await page.getByRole("radio", { name: /^Standard/ }).waitFor();
            await page.getByRole("button", { name: "More options" }).click();
            await page.getByRole("textbox", { name: "Label" }).fill(label);
            await presentable(visit, `dashboard-${alpha.toLowerCase()}-payout`);
            await next(page);
            await page.getByRole("textbox", { name: "First name" }).fill("Jo");
            await page.getByRole("textbox", { name: "Last name" }).fill("Doe");
            await page.getByRole("textbox", { name: "Street address" }).fill("1 Some Street");
            await next(page);
            await page.getByRole("button", { name: "Send payout" }).click();
            await page.getByRole("heading", { level: 1, name: label }).waitFor();
            await page.getByRole("button", { name: "Copy transaction ID" }).first().waitFor();
            await confirm(alpha);
            await page.getByText(/Confirmed \(/).waitFor();
            await presentable(visit, `dashboard-${alpha.toLowerCase()}-payout-confirmed`);
            expect((await receiver.held()) - before).toBe(unitsOf("12.5", alpha));
          }),
        ),
    );

    it("label both networks as simulated", patience, async () => {
      const visit = await openDashboard(site, "/currencies");
      const { page } = visit;
      for (const name of ["Cardano", "Algorand"]) {
        const rows = page.getByRole("row").filter({ hasText: name }).filter({ hasText: "Yes" });
        await rows.first().getByText("Simulated", { exact: true }).waitFor();
      }
      await page.goto("/ui/operations");
      const chains = page.getByRole("table", { name: "Blockchains", exact: true });
      for (const [name, id] of [
        ["Cardano", "ADA"],
        ["Algorand", "ALGO"],
      ] as const) {
        const row = chains.getByRole("row").filter({ hasText: name });
        await row.getByText(`${id}, Simulated`).waitFor();
        await row.getByText("Synced", { exact: true }).waitFor();
      }
      await presentable(visit, "dashboard-ada-algo-operations");
    });
  },
  "ADA,ALGO",
);

const next = (page: Page) => page.getByRole("button", { name: "Continue" }).click();

function idIn(page: Page): string {
  return present(new URL(page.url()).pathname.split("/").at(-1), "the deposit's number");
}
