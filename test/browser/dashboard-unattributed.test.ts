/**
 * What payers need to know where deposits share one account, and what operators do when payers did not: the payment page's tag, memo and
 * comment, and unattributed payments in the dashboard. On the sandbox's simulated XRP Ledger, Stellar and TON networks.
 *
 * `SLUICE_PICTURES=1 npx vitest run test/browser/dashboard-unattributed.test.ts` renews the pictures in docs/operations.md.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { xAddressToClassicAddress } from "xrpl";
import { present } from "../../src/platform/kernel/assert.ts";
import type { XrplSite } from "../../src/sandbox/sandbox-file.ts";
import { settled } from "../scenarios/support/callbacks.ts";
import { addressOf, type Shop, withShop } from "../scenarios/support/shop.ts";
import { openXrpPayer, type XrpPayer } from "../scenarios/support/xrp-payer.ts";
import { eventually } from "../support/eventually.ts";
import { describeInBrowser } from "./support/browser-suite.ts";
import { openDashboard, whoLooksIsKnown } from "./support/open-dashboard.ts";
import { openPayer, readCode } from "./support/payment-page.ts";
import { picture, presentable } from "./support/presentable.ts";
import { patienceMs } from "./support/visit.ts";

const patience = { timeout: 900_000 };

describeInBrowser(
  "payments to an account that deposits share",
  (site) => {
    let payer: XrpPayer | null = null;
    const xrp = (): XrpPayer => present(payer, "a payer of XRP");
    beforeAll(async () => {
      payer = await openXrpPayer(site.deployment().chains["XRP"] as XrplSite, site.testSite());
    });
    afterAll(() => payer?.close());

    /** Pays the shared account of a deposit under another tag, from a new account; resolves with its address and the payment's id. */
    const payUnder = async (tag: number, drops: string, shop: Shop, wallet: string) => {
      const { classicAddress } = xAddressToClassicAddress(addressOf(await shop.deposit(wallet)));
      const { newAccount, payment, send } = xrp();
      const sender = await newAccount();
      const from = { Account: sender.address, DestinationTag: tag };
      const txid = await send(payment(classicAddress, drops, from), sender);
      const [receipt] = await settled(
        () => shop.client.list(`/unattributed/?filter[txid]=${txid}`),
        (rows) => rows.length === 1,
      );
      return { sender: sender.address, txid, id: present(receipt, "a receipt").id };
    };

    it.each([
      [
        "XRP",
        { en: "Destination tag", de: "Destination-Tag", es: "Etiqueta de destino", zh: "目标标签" },
      ],
      ["XLM", { en: "Memo", de: "Memo", es: "Memo", zh: "备注（Memo）" }],
      ["TON", { en: "Comment", de: "Kommentar", es: "Comentario", zh: "附言（Comment）" }],
    ] as const)(
      "%s: the page shows the tag and warns of its loss, in every language, and the dashboard names it",
      patience,
      (alpha, labels) =>
        withShop(site.testSite(), async (shop) => {
          const deposit = await shop.deposit(await shop.wallet("enterprise", alpha));
          const { tag } = deposit.attributes["destination"] as { readonly tag: string };
          const response = await fetch(`${deposit.attributes["payment_page"] as string}/state/`);
          const { payment } = (await response.json()) as {
            readonly payment: { readonly uri: string };
          };
          for (const [locale, label] of Object.entries(labels)) {
            const visit = await openPayer(site, deposit, { device: "phone", locale });
            expect(await visit.field(label)).toBe(tag);
            const warning = visit.page
              .locator(".warning.is-strong")
              .filter({ hasText: losses[locale] ?? "" });
            await warning.waitFor();
            expect(await warning.innerText()).toMatch(
              new RegExp(label.replaceAll(/[()]/g, "."), "i"),
            );
            expect(await visit.code()).toBe(payment.uri);
            if (locale === "en") await visit.expectPresentable(`tag-${alpha}`);
          }
          const { page } = await openDashboard(site, `/deposits/${deposit.id}`);
          await page.getByText(`Required tag: ${tag}`).waitFor();
          // Who scans the code types no tag.
          const shown = page.getByRole("img", { name: "QR code of the address" });
          expect(await readCode(page, await shown.screenshot())).toBe(payment.uri);
        }),
    );

    it("are listed, found, and assigned to a deposit of any account", patience, () =>
      withShop(site.testSite(), async (shop) => {
        const wallet = await shop.wallet("merchant", "USD");
        const label = "Blue teapot";
        const deposit = await shop.deposit(wallet, { target_amount_requested: "25", label }, "XRP");
        const requested = (await shop.read(deposit))["source_amount_requested"] as string;
        const drops = String(Math.round(Number(requested) * 1e6));
        const enterprise = await shop.wallet("enterprise", "XRP");
        await payUnder(9, "3000000", shop, enterprise);
        const { txid } = await payUnder(4711, drops, shop, enterprise);

        const visit = await openDashboard(site, "/");
        const { page } = visit;
        await page.getByRole("link", { name: /Unattributed payments/ }).click();
        const table = page.getByRole("table", { name: "Unattributed payments" });
        const row = table.getByRole("row").filter({ hasText: "4711" });
        await row.getByText("Waiting").waitFor();
        await presentable(visit, "dashboard-unattributed");
        await picture(visit, "unattributed");
        const saved = page.waitForEvent("download");
        await page.getByRole("button", { name: "Export CSV" }).click();
        expect((await saved).suggestedFilename()).toMatch(/\.csv$/);

        await row.getByRole("link").first().click();
        await page.getByRole("heading", { level: 1, name: /^Unattributed payment/ }).waitFor();
        await presentable(visit, "dashboard-unattributed-payment");
        await page.getByRole("button", { name: "Assign to a deposit" }).click();
        const dialog = page.getByRole("dialog", { name: /^Assign payment/ });
        await dialog.getByRole("searchbox", { name: "Find the deposit" }).fill("999999");
        await dialog.getByText("No matching deposit").waitFor();
        const { tag } = deposit.attributes["destination"] as { readonly tag: string };
        await dialog.getByRole("searchbox", { name: "Find the deposit" }).fill(tag);
        await dialog.getByRole("radio", { name: `Deposit ${deposit.id} of ` }).check();
        await dialog.getByText("An assignment can't be undone").waitFor();
        const assign = dialog.getByRole("button", { name: "Assign" });
        expect(await assign.isDisabled()).toBe(true);
        await dialog.getByRole("textbox", { name: "Reason" }).fill("The payer wrote to us");
        await presentable(visit, "dashboard-unattributed-assign");
        await picture(visit, "unattributed-assign");
        await assign.click();
        await page.getByText(`Deposit ${deposit.id}`, { exact: true }).first().waitFor();
        await page.getByText("Assigned", { exact: true }).waitFor();
        await shop.expectTransfer(deposit, { txid, amount: requested, status: 2 });
        await presentable(visit, "dashboard-unattributed-assigned");
      }),
    );

    it("are returned once at the quoted fee, although a response was lost", patience, () =>
      withShop(site.testSite(), async (shop) => {
        const wallet = await shop.wallet("enterprise", "XRP");
        const { id, sender } = await payUnder(4712, "9000000", shop, wallet);
        const before = await xrp().client.getXrpBalance(sender);
        const visit = await openDashboard(site, `/unattributed/${id}`);
        visit.expectErrors(/ERR_FAILED|409|400/);
        const { page } = visit;
        await page.getByRole("button", { name: "Return", exact: true }).click();
        const dialog = page.getByRole("dialog", { name: `Return payment ${id}` });
        const address = dialog.getByRole("textbox", { name: "Return address" });
        expect(await address.inputValue()).toBe(sender);
        await dialog.getByRole("textbox", { name: "Reason" }).fill("Nobody claims it");
        // As mistyped at its end.
        await address.fill(`${sender.slice(0, -2)}zz`);
        await dialog.getByText("This is not a valid XRP address.").waitFor();
        await address.fill(sender);
        await dialog.getByRole("radio", { name: /^Standard/ }).waitFor();
        const send = dialog.getByRole("button", { name: "Send return" });
        await send.click();
        await dialog.getByText("Enter a last name.").waitFor();
        await dialog.getByRole("textbox", { name: "First name" }).fill("Jo");
        await dialog.getByRole("textbox", { name: "Last name" }).fill("Doe");
        await dialog.getByRole("textbox", { name: "Street address" }).fill("1 Some Street");
        await presentable(visit, "dashboard-unattributed-return");
        await picture(visit, "unattributed-return", 1_240);

        const isReturn = (url: URL) => url.pathname === `/unattributed/${id}/return/`;
        // As if an hour had passed between quote and click: the service receives an old fee.
        await page.route(isReturn, (route) => {
          const { data } = route.request().postDataJSON() as {
            readonly data: { readonly attributes: Readonly<Record<string, unknown>> };
          };
          const attributes = { ...data.attributes, fee_amount: "0.9" };
          return route.continue({ postData: JSON.stringify({ data: { ...data, attributes } }) });
        });
        await send.click();
        await dialog.getByText("The network fee has changed").waitFor();
        await page.unroute(isReturn);
        // The service receives and executes the request, but its response is lost.
        await page.route(isReturn, async (route) => {
          await route.fetch({ timeout: patienceMs });
          return route.abort();
        });
        await send.click();
        await dialog.getByText("No response to your last return").waitFor();
        await presentable(visit, "dashboard-unattributed-unanswered");
        await page.unroute(isReturn);
        await dialog.getByRole("button", { name: "Retry" }).click();
        await page.getByText("Return created").waitFor();
        await page.getByText("Returned by", { exact: true }).waitFor();
        await page.getByText("Returned", { exact: true }).waitFor();
        const after = await eventually(
          () => xrp().client.getXrpBalance(sender),
          (balance) => balance > before,
          60,
        );
        expect(after - before).toBeLessThan(9);
        expect(after - before).toBeGreaterThan(8.9);
        const payouts = await site
          .testSite()
          .sql<{ count: string }>("select count(*) from payout where address = $1", [sender]);
        expect(payouts).toEqual([{ count: "1" }]);
        await presentable(visit, "dashboard-unattributed-returned");
      }),
    );

    it("are refunded to an address with the tag that the payer enters", patience, () =>
      withShop(site.testSite(), async (shop) => {
        const wallet = await shop.wallet("merchant", "USD");
        const deposit = await shop.deposit(wallet, { target_amount_requested: "25" }, "XRP");
        const requested = (await shop.read(deposit))["source_amount_requested"] as string;
        const drops = String(Math.round(Number(requested) * 2e6));
        const { newAccount, payment, send } = xrp();
        const payer = await openPayer(site, deposit);
        await send(payment(addressOf(deposit), drops));
        await payer.expectTitle("Your payment is under review");
        const { page } = payer;
        payer.expectErrors(/refund-address/);
        const { address } = await newAccount();
        await page.getByLabel("Your XRP address").fill(address);
        await page.getByLabel("Destination tag").fill("one");
        const save = page.getByRole("button", { name: "Save refund address" });
        await save.click();
        await page.getByRole("alert").getByText("Check the destination tag").waitFor();
        await payer.expectPresentable("refund-tag-error");
        await page.getByLabel("Destination tag").fill("77");
        await save.click();
        await payer.expectText("Your refund address:");
        expect(await page.locator(".refund").innerText()).toMatch(/Destination tag\s+77/);
        await payer.expectPresentable("refund-tag");
      }),
    );

    it("are paid out with the tag that the review shows", patience, () =>
      withShop(site.testSite(), async (shop) => {
        const wallet = await shop.wallet("enterprise", "XRP");
        const { newAccount, payment, send } = xrp();
        await send(payment(addressOf(await shop.deposit(wallet)), "30000000"));
        await shop.expectBalance(wallet, "30.000000", "0.000000");
        const visit = await openDashboard(site, `/payouts/new?wallet=${wallet}`);
        const { page } = visit;
        const { address } = await newAccount();
        const next = page.getByRole("button", { name: "Continue" });
        await page.getByRole("textbox", { name: "Address", exact: true }).fill(address);
        await page.getByRole("textbox", { name: "Destination tag" }).fill("77");
        await next.click();
        await page.getByRole("textbox", { name: "Amount (XRP)" }).fill("2");
        await page.getByRole("radio", { name: /^Standard/ }).waitFor();
        await next.click();
        await page.getByRole("textbox", { name: "First name" }).fill("Jo");
        await page.getByRole("textbox", { name: "Last name" }).fill("Doe");
        await page.getByRole("textbox", { name: "Street address" }).fill("1 Some Street");
        await next.click();
        await page.getByRole("button", { name: "Send payout" }).waitFor();
        const receiver = page.getByRole("definition").filter({ hasText: address });
        expect(await receiver.innerText()).toMatch(/Destination tag\s+77/);
        await presentable(visit, "dashboard-payout-review-tag");
      }),
    );

    it("are hidden from other tenants", patience, async () => {
      const { page, expectAccessible } = await openDashboard(site, "/unattributed", {
        as: site.deployment().other,
      });
      await page.getByText("Only operators of this deployment can view this page.").waitFor();
      await whoLooksIsKnown(page);
      const navigation = page.getByRole("navigation", { name: "Main" });
      expect(await navigation.getByRole("link", { name: "Unattributed" }).count()).toBe(0);
      await expectAccessible();
    });
  },
  "XRP,XLM,TON",
);

/** What the page says about a payment without the tag, by language. */
const losses: Readonly<Record<string, string>> = {
  en: "your payment will be lost",
  de: "geht Ihre Zahlung verloren",
  es: "su pago se perderá",
  zh: "您的付款将会丢失",
};
