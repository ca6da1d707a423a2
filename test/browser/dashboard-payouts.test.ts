/**
 * Payouts in the dashboard: a payout with its quote, on a real chain; approval by a second person, also of several at once; a
 * receiver with invalid data; a lost response; and a saved receiver who is paid again.
 */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import {
  fundedWallet,
  newEvmAddress,
  openCashier,
  payoutStatus,
} from "../scenarios/support/cashier.ts";
import { unitsAt } from "../scenarios/support/chain-facts.ts";
import { amountOf } from "../scenarios/support/money.ts";
import { withShop } from "../scenarios/support/shop.ts";
import { inFull } from "../scenarios/support/test-site.ts";
import { describeInBrowser } from "./support/browser-suite.ts";
import { holdRequests, isFocused, openDashboard, pressTwice } from "./support/open-dashboard.ts";
import { presentable } from "./support/presentable.ts";
import { patienceMs } from "./support/visit.ts";

const patience = { timeout: 900_000 };
/** More than the confirmation count of any of the sandbox's chains. */
const deepEnough = 8;

describeInBrowser("payouts in the dashboard", (site) => {
  it("pays ether to an external address at the quoted fee, and confirms it", patience, () =>
    withShop(site.testSite(), (shop) =>
      site.testSite().onChain("ETH", async (chain) => {
        const wallet = await fundedWallet(shop, chain, "ETH", "2");
        const address = newEvmAddress();
        const visit = await openDashboard(site, "/payouts");
        const { page } = visit;
        // Until the address formats are loaded, no address can be accepted or rejected.
        const rules = await holdRequests(page, isPayoutList, "OPTIONS");
        await page.goto(`/ui/payouts/new?wallet=${wallet}`);
        const field = page.getByRole("textbox", { name: "Address", exact: true });
        await field.fill("bc1qnotanetheraddress");
        expect(await page.getByRole("button", { name: "Continue" }).isEnabled()).toBe(false);
        rules.letThrough();
        await continueForm(page);
        await page.getByText("Enter a valid ETH address.").waitFor();
        await presentable(visit, "dashboard-payout-to");
        await field.fill(address);
        await continueForm(page);
        await page.getByRole("textbox", { name: "Amount (ETH)" }).fill("0.75");
        await page.getByRole("radio", { name: /^Standard/ }).waitFor();
        await page.getByText(/^Available 2\.00\s*ETH \(≈ [\d,.]+\s*USD\)$/).waitFor();
        await page
          .getByText(/^≈ [\d,.]+\s*USD$/)
          .first()
          .waitFor();
        await presentable(visit, "dashboard-payout-amount");
        await page.getByRole("button", { name: "More options" }).click();
        await page.getByRole("textbox", { name: "Label" }).fill("Rent in May");
        await continueForm(page);
        await page.getByText(/Required for payouts of any amount\./).waitFor();
        await page.getByRole("main").getByRole("link", { name: "Operations" }).waitFor();
        await nameReceiver(page);
        await presentable(visit, "dashboard-payout-receiver");
        await continueForm(page);
        const send = page.getByRole("button", { name: "Send payout" });
        await send.waitFor();
        await page.getByText(/^Total 0\.750\d+\s*ETH \(≈ [\d,.]+\s*USD\)$/).waitFor();
        await presentable(visit, "dashboard-payout-review");
        const sent = await holdRequests(page, isPayoutList, "POST");
        sent.letThrough();
        await pressTwice(send);
        await page.getByRole("heading", { level: 1, name: "Rent in May" }).waitFor();
        expect(sent.count()).toBe(1);
        await page.getByRole("button", { name: "Copy transaction ID" }).first().waitFor();
        await chain.mine(deepEnough);
        await page.getByRole("status").filter({ hasText: "Confirmed" }).first().waitFor();
        await page.getByText(/Confirmed \(/).waitFor();
        await presentable(visit, "dashboard-payout-confirmed");
        expect(amountOf(await unitsAt(chain, "ETH", [address]), "ETH")).toBe(inFull("0.75", "ETH"));
        expect(await payoutsOf(wallet)).toHaveLength(1);
        const id = payoutId(page);
        await page.getByRole("link", { name: "Payouts", exact: true }).first().click();
        await page
          .getByRole("table", { name: "Payouts" })
          .getByRole("row")
          .filter({ hasText: "Rent in May" })
          .getByRole("link", { name: id, exact: true })
          .waitFor();
        await presentable(visit, "dashboard-payouts");
      }),
    ),
  );

  it("confirms a payout that a second person approved", patience, () =>
    withShop(site.testSite(), (shop) =>
      site.testSite().onChain("ETH", async (chain) => {
        const wallet = await fundedWallet(shop, chain, "ETH", "2");
        const address = newEvmAddress();
        const asking = await openDashboard(site, `/payouts/new?wallet=${wallet}`, {
          as: site.testSite().clerk.login,
        });
        await fillIn(asking.page, address, "0.5", "Wages");
        await asking.page.getByText("Approval required").waitFor();
        expect(await asking.page.getByRole("button", { name: "Send payout" }).count()).toBe(0);
        await asking.page.getByRole("button", { name: "Request approval" }).click();
        await asking.page.getByRole("heading", { level: 1, name: "Wages" }).waitFor();
        await asking.page.getByText("Your role can't approve payouts.").waitFor();
        expect(await asking.page.getByRole("button", { name: "Approve" }).isDisabled()).toBe(true);
        const id = payoutId(asking.page);
        await asking.page.goto("/ui/payouts/approvals");
        const own = asking.page.getByRole("button", { name: `Approve payout ${id}` });
        await own.waitFor();
        expect(await own.isDisabled()).toBe(true);
        await presentable(asking, "dashboard-approvals-own");

        const deciding = await openDashboard(site, "/");
        await deciding.page.getByRole("link", { name: /Payouts? needs? approval/ }).click();
        await deciding.page.getByRole("checkbox", { name: `Select payout ${id}` }).check();
        await deciding.page.getByText("Jo Doe").waitFor();
        await presentable(deciding, "dashboard-approvals");
        await deciding.page.getByRole("button", { name: /^Approve selected/ }).click();
        const confirming = deciding.page.getByRole("dialog", { name: `Approve payout ${id}?` });
        for (const text of [address, "Jo Doe", /^0\.50\s*ETH$/, /≈.*USD/, /^Network fee/])
          await confirming.getByText(text).first().waitFor();
        await presentable(deciding, "dashboard-approve");
        // Escape leaves the payout waiting, and the focus where it was.
        await deciding.page.keyboard.press("Escape");
        await confirming.waitFor({ state: "detached" });
        expect(await statusOf(id)).toBe(payoutStatus.waiting);
        const approve = deciding.page.getByRole("button", { name: /^Approve selected/ });
        await expect.poll(() => isFocused(approve)).toBe(true);
        await approve.click();
        await confirming.getByRole("button", { name: "Approve", exact: true }).click();
        await deciding.page
          .getByRole("checkbox", { name: `Select payout ${id}` })
          .waitFor({ state: "detached" });

        await asking.page.goto(`/ui/payouts/${id}`);
        await asking.page.getByRole("button", { name: "Copy transaction ID" }).first().waitFor();
        await chain.mine(deepEnough);
        await asking.page.getByRole("status").filter({ hasText: "Confirmed" }).first().waitFor();
        await asking.page.getByText("Approved by", { exact: true }).waitFor();
        expect(amountOf(await unitsAt(chain, "ETH", [address]), "ETH")).toBe(inFull("0.5", "ETH"));
      }),
    ),
  );

  it("approves several selected payouts at once, and leaves the others waiting", patience, () =>
    withShop(site.testSite(), async (shop) => {
      const testSite = site.testSite();
      const wallet = await testSite.onChain("ETH", (chain) =>
        fundedWallet(shop, chain, "ETH", "1"),
      );
      const clerk = openCashier(testSite, shop, testSite.clerk);
      const ids: string[] = [];
      for (let count = 0; count < 4; count += 1) {
        const address = newEvmAddress();
        ids.push((await clerk.pay({ wallet, alpha: "ETH", amount: "0.05", address })).id);
      }
      const [left = "", ...chosen] = ids;
      const visit = await openDashboard(site, "/payouts/approvals");
      const { page } = visit;
      const box = (id: string) => page.getByRole("checkbox", { name: `Select payout ${id}` });
      await box(left).waitFor();
      await page.getByRole("checkbox", { name: "Select all" }).check();
      for (const id of ids) await expect.poll(() => box(id).isChecked()).toBe(true);
      await box(left).uncheck();
      await presentable(visit, "dashboard-approvals-several");
      const open = page.getByRole("button", { name: "Approve selected (3)" });
      const confirming = page.getByRole("dialog", { name: "Approve 3 payouts?" });
      const approve = confirming.getByRole("button", { name: "Approve", exact: true });
      // What cannot be shown cannot be approved.
      visit.expectErrors(/404/);
      const isUnreadable = (url: URL) => url.pathname === `/payout/${chosen[0] ?? ""}/`;
      const error = { status: "404", code: "not_found", title: "Not found", detail: "", id: "1" };
      await page.route(isUnreadable, (route) =>
        route.fulfill({ status: 404, json: { errors: [error] } }),
      );
      await open.click();
      await confirming.getByRole("alert").waitFor();
      expect(await approve.isDisabled()).toBe(true);
      await page.unroute(isUnreadable);
      await page.keyboard.press("Escape");
      await confirming.waitFor({ state: "detached" });
      await open.click();
      await confirming.getByText("Total ETH").waitFor();
      await confirming.getByText(/^0\.15\s*ETH$/).waitFor();
      await presentable(visit, "dashboard-approve-several");
      await approve.click();
      for (const id of chosen) await box(id).waitFor({ state: "detached" });
      await page.getByText("3 payouts approved").waitFor();
      expect(await Promise.all(ids.map(statusOf))).toEqual([
        payoutStatus.waiting,
        ...chosen.map(() => payoutStatus.approved),
      ]);
      await page.getByRole("button", { name: `Cancel payout ${left}` }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Cancel payout" }).click();
      await box(left).waitFor({ state: "detached" });
      await page.getByText("No payouts await approval").waitFor();
      expect(await statusOf(left)).toBe(payoutStatus.canceled);
    }),
  );

  it("shows errors of the receiver at its field, where they can be corrected", patience, () =>
    withShop(site.testSite(), (shop) =>
      site.testSite().onChain("ETH", async (chain) => {
        const wallet = await fundedWallet(shop, chain, "ETH", "1");
        const visit = await openDashboard(site, `/payouts/new?wallet=${wallet}`);
        const { page } = visit;
        await fillIn(page, newEvmAddress(), "0.1", "Mended", null);
        const name = page.getByRole("textbox", { name: "Last name" });
        await expect.poll(() => name.getAttribute("aria-invalid")).toBe("true");
        await page.getByText("Enter a last name.").waitFor();
        await presentable(visit, "dashboard-payout-receiver-error");
        await name.fill("Doe");
        await page.getByRole("checkbox", { name: "Save as beneficiary" }).check();
        await page.getByRole("textbox", { name: "Beneficiary name" }).fill("Jo from Kiel");
        await continueForm(page);
        await page.getByRole("button", { name: "Send payout" }).click();
        await page.getByRole("heading", { level: 1, name: "Mended" }).waitFor();

        await page.getByRole("link", { name: "Beneficiaries" }).click();
        await page.getByRole("link", { name: "Jo from Kiel" }).waitFor();
        await presentable(visit, "dashboard-beneficiaries");
        await page.getByRole("link", { name: "Jo from Kiel" }).click();
        await page.getByText("Jo Doe").waitFor();
        await presentable(visit, "dashboard-beneficiary");
        await page.getByRole("link", { name: "New payout" }).click();
        await page.getByRole("heading", { level: 1, name: "New payout" }).waitFor();
        await visit.expectAccessible();
      }),
    ),
  );

  it("finds the payout of a lost response, and pays nothing twice", patience, () =>
    withShop(site.testSite(), (shop) =>
      site.testSite().onChain("ETH", async (chain) => {
        const wallet = await fundedWallet(shop, chain, "ETH", "1");
        const visit = await openDashboard(site, `/payouts/new?wallet=${wallet}`);
        visit.expectErrors(/ERR_FAILED|409/);
        const { page } = visit;
        await fillIn(page, newEvmAddress(), "0.1", "Once");
        // The service receives and executes the request, but its response is lost.
        await page.route("**/payout/", async (route) => {
          if (route.request().method() !== "POST") return route.continue();
          await route.fetch({ timeout: patienceMs });
          return route.abort();
        });
        await page.getByRole("button", { name: "Send payout" }).click();
        await page.getByText("No response to your last payout").waitFor();
        await presentable(visit, "dashboard-payout-unanswered");
        expect(await payoutsOf(wallet)).toHaveLength(1);
        await page.unroute("**/payout/");
        await page.reload();
        await page.getByRole("button", { name: "Retry" }).click();
        await page.getByRole("heading", { level: 1, name: "Once" }).waitFor();
        const [created] = await payoutsOf(wallet);
        expect(payoutId(page)).toBe(present(created, "the payout").id);
        expect(await payoutsOf(wallet)).toHaveLength(1);
        await page.goto("/ui/payouts/new");
        await page.getByRole("button", { name: "Continue" }).waitFor();
      }),
    ),
  );

  it("quotes an outdated fee again, and sends nothing before the new fee was shown", patience, () =>
    withShop(site.testSite(), (shop) =>
      site.testSite().onChain("ETH", async (chain) => {
        const wallet = await fundedWallet(shop, chain, "ETH", "1");
        const visit = await openDashboard(site, `/payouts/new?wallet=${wallet}`);
        visit.expectErrors(/400/);
        const { page } = visit;
        await fillIn(page, newEvmAddress(), "0.1", "Later");
        // As if an hour had passed between quote and click: the service receives an old fee.
        await page.route("**/payout/", (route) => {
          if (route.request().method() !== "POST") return route.continue();
          const { data } = route.request().postDataJSON() as {
            readonly data: { readonly attributes: Readonly<Record<string, unknown>> };
          };
          const attributes = { ...data.attributes, fee_amount: "0.9" };
          return route.continue({ postData: JSON.stringify({ data: { ...data, attributes } }) });
        });
        await page.getByRole("button", { name: "Send payout" }).click();
        await page.getByText("The network fee has changed").waitFor();
        await presentable(visit, "dashboard-payout-requoted");
        expect(await payoutsOf(wallet)).toHaveLength(0);
        await page.unroute("**/payout/");
        await page.getByRole("button", { name: "Send payout" }).click();
        await page.getByRole("heading", { level: 1, name: "Later" }).waitFor();
        expect(await payoutsOf(wallet)).toHaveLength(1);
      }),
    ),
  );

  it("narrows the currencies of a merchant's wallet to those that the address fits", patience, () =>
    withShop(site.testSite(), async (shop) => {
      const wallet = await shop.wallet("merchant", "USD");
      const visit = await openDashboard(site, "/payouts/new");
      const { page } = visit;
      await page.getByRole("combobox", { name: "From wallet" }).click();
      // Each choice shows its balance.
      await page
        .locator(`[role=option][value="${wallet}"]`)
        .filter({ hasText: /0\.00\s*USD/ })
        .click();
      await page.getByRole("textbox", { name: "Address", exact: true }).fill(newEvmAddress());
      await page
        .getByText("Only currencies that the address below can receive are listed.")
        .waitFor();
      await page.getByRole("combobox", { name: "Currency" }).click();
      await page.getByRole("option", { name: /^ETH – / }).waitFor();
      expect(await page.getByRole("option", { name: /^BTC – / }).count()).toBe(0);
      await presentable(visit, "dashboard-payout-narrowed");
    }),
  );

  it("quotes the whole balance for Max, and says when a limit requires approval", patience, () =>
    withShop(site.testSite(), (shop) =>
      site.testSite().onChain("ETH", async (chain) => {
        const wallet = await fundedWallet(shop, chain, "ETH", "2");
        const { sql } = site.testSite();
        await sql(
          "insert into payout_limit (account_id, wallet_id, currency, span, units) select account_id, id, '1002', 'transaction', $2 from wallet where id = $1",
          [wallet, 10n ** 18n],
        );
        // Max leaves the commission.
        await sql(
          "insert into commission_terms (account_id, currency, direction, rate_ppm, fixed_units, minimum_units) select account_id, '1002', 'payout', 10000, 0, 0 from wallet where id = $1",
          [wallet],
        );
        const visit = await openDashboard(site, `/payouts/new?wallet=${wallet}`);
        const { page } = visit;
        await page.getByRole("textbox", { name: "Address", exact: true }).fill(newEvmAddress());
        await continueForm(page);
        const quoted: string[] = [];
        page.on("request", (request) => {
          if (request.url().endsWith("/payout/calculate/")) quoted.push(request.postData() ?? "");
        });
        await page.getByRole("textbox", { name: "Amount (ETH)" }).fill("0.5");
        await page.getByRole("radio", { name: /^Standard/ }).waitFor();
        await page.getByRole("button", { name: "Max" }).click();
        await expect.poll(() => quoted.some((body) => body.includes('"1.9'))).toBe(true);
        await presentable(visit, "dashboard-payout-max");
        expect(await page.getByText("The fee is high").count()).toBe(0);
        await continueForm(page);
        await nameReceiver(page);
        await continueForm(page);
        await page.getByText("This payout exceeds a limit.").waitFor();
        await page.getByText("Commission", { exact: true }).waitFor();
        await presentable(visit, "dashboard-payout-review-limit");
        await page.getByRole("button", { name: "Request approval" }).click();
        await page.getByText("Awaiting approval").first().waitFor();
        const [created] = await payoutsOf(wallet);
        expect(created?.attributes["status"]).toBe(payoutStatus.waiting);
      }),
    ),
  );

  const statusOf = async (id: string) =>
    (await site.testSite().owner.get(`/payout/${id}/`)).attributes["status"];
  const payoutsOf = (wallet: string) =>
    site.testSite().owner.list(`/payout/?filter[wallet]=${wallet}`);
});

const isPayoutList = ({ pathname }: URL) => pathname === "/payout/";
const continueForm = (page: Page) => page.getByRole("button", { name: "Continue" }).click();

function payoutId(page: Page): string {
  return present(new URL(page.url()).pathname.split("/").at(-1), "the payout's number");
}

async function nameReceiver(page: Page, lastName = "Doe"): Promise<void> {
  await page.getByRole("textbox", { name: "First name" }).fill("Jo");
  await page.getByRole("textbox", { name: "Last name" }).fill(lastName);
  await page.getByRole("textbox", { name: "Street address" }).fill("1 Some Street");
}

/** Everything up to the last review before submission. */
async function fillIn(
  page: Page,
  address: string,
  amount: string,
  label: string,
  /** Null stops at the recipient's details, without a last name. */
  lastName: string | null = "Doe",
): Promise<void> {
  await page.getByRole("textbox", { name: "Address", exact: true }).fill(address);
  await continueForm(page);
  await page.getByRole("textbox", { name: "Amount (ETH)" }).fill(amount);
  await page.getByRole("button", { name: "More options" }).click();
  await page.getByRole("textbox", { name: "Label" }).fill(label);
  await page.getByRole("radio", { name: /^Standard/ }).waitFor();
  await continueForm(page);
  await nameReceiver(page, lastName ?? "");
  await continueForm(page);
  if (lastName === null) return;
  await page.getByRole("button", { name: /^(Send payout|Request approval)$/ }).waitFor();
}
