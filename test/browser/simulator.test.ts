/**
 * The sandbox's simulator: faulty payments appear, a reorg removes a payment on the page, a failing receiver shows in the
 * callbacks, and the overview charts the results.
 */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { describeInBrowser } from "./support/browser-suite.ts";
import { holdRequests, openDashboard } from "./support/open-dashboard.ts";
import { presentable } from "./support/presentable.ts";

const patience = { timeout: 900_000 };

describeInBrowser("the simulator", (site) => {
  it("explains a payment on the overview before the first deposit", patience, async () => {
    const visit = await openDashboard(site, "/");
    const { page } = visit;
    await page.getByRole("heading", { level: 2, name: "Your first payment" }).waitFor();
    await page.getByText("You're all caught up.").waitFor();
    // Until the response arrives, it is unknown whether there are payments.
    const statistics = await holdRequests(page, isStatistics);
    await page.reload();
    const volume = page.getByRole("region", { name: "Volume" });
    await volume.locator("[aria-busy='true']").waitFor();
    expect(await volume.getByText("No confirmed payments").count()).toBe(0);
    statistics.letThrough();
    await volume.getByText("No confirmed payments").waitFor();
    await page.getByText("You're all caught up.").waitFor();
    await presentable(visit, "dashboard-overview-empty");
    await page.getByRole("link", { name: "Open simulator" }).click();
    await page.getByRole("heading", { level: 1, name: "Simulator" }).waitFor();
  });

  it(
    "leads from a new deposit to its payment, once its payer has chosen a currency",
    patience,
    async () => {
      const visit = await openDashboard(site, "/deposits/new");
      const { page } = visit;
      await page.getByLabel("Amount (USD)").fill("25");
      await page.getByRole("button", { name: "Create deposit" }).click();
      await page.getByText(/^25\.00\s*USD$/).waitFor();
      await presentable(visit, "dashboard-deposit-created");
      await page.getByRole("link", { name: "Pay it in the simulator" }).click();
      await status(page, "New");
      const pay = page.getByRole("button", { name: /^Pay The exact/ });
      expect(await pay.isDisabled()).toBe(true);
      const opened = page.waitForEvent("popup");
      await page.getByRole("link", { name: "payment page", exact: true }).click();
      const payer = await opened;
      await payer.getByRole("option", { name: /^Ethereum/ }).click();
      await payer.getByRole("button", { name: /^Pay with/ }).click();
      await payer.getByText("Waiting for payment").first().waitFor();
      await payer.close();
      await expect.poll(() => pay.isEnabled()).toBe(true);
      await playPayment(page, "Pay");
      await mine(page, "Ethereum", "14");
      await status(page, "Paid");
      const chosen = page.getByRole("combobox", { name: "Deposit" }).locator("option:checked");
      expect(await chosen.innerText()).toMatch(/Paid$/);
    },
  );

  it("underpays a deposit, and puts a late payment on hold", patience, async () => {
    const visit = await openDashboard(site, "/simulator");
    const { page } = visit;
    await newDeposit(page, "ETH", "100");
    await playPayment(page, "Underpay");
    await page.getByText("Paid 0.02", { exact: false }).first().waitFor();
    await mine(page, "Ethereum", "14");
    await value(page, "Received", "50.00");
    await status(page, "Partially paid");
    await playPayment(page, "Pay late");
    await mine(page, "Ethereum", "14");
    await status(page, "On hold");
    await page.evaluate("scrollTo(0, 0)");
    await presentable(visit, "dashboard-simulator");
    await page
      .getByRole("list", { name: "Activity, newest first" })
      .getByRole("link")
      .first()
      .click();
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.getByText("On hold").first().waitFor();
  });

  it("removes a payment on the page in a reorg, and shows it again", patience, async () => {
    const { page } = await openDashboard(site, "/simulator");
    await newDeposit(page, "LTC", "80");
    await playPayment(page, "Pay");
    await mine(page, "Litecoin", "1");
    await value(page, "Pending", "80.00");
    const id = await page.getByLabel("Deposit", { exact: true }).inputValue();
    const transfer = async () =>
      (await site.testSite().owner.list(`/transfer/?filter[op_id]=${id}`)).map(
        ({ attributes }) => attributes["confirmations"],
      );
    await expect.poll(transfer).toEqual([1]);
    await group(page, "Litecoin").getByRole("button", { name: "Reorg" }).click();
    await page.getByText("Their transactions are pending again.").first().waitFor();
    await expect.poll(transfer).toEqual([0]);
    await value(page, "Pending", "80.00");
    await mine(page, "Litecoin", "8");
    await status(page, "Paid");
    await value(page, "Received", "80.00");
  });

  it(
    "shows a receiver that answers 500 in the callbacks, with its attempts",
    patience,
    async () => {
      const { page } = await openDashboard(site, "/");
      // The page must wait for the callback URL, and not omit it from a deposit created before it arrives.
      const receiver = await holdRequests(page, isReceiver, "GET");
      await page.goto("/ui/simulator");
      await newDeposit(page, "LTC", "40", () => {
        receiver.letThrough();
      });
      const answers = page.getByRole("radiogroup", { name: "Endpoint response" });
      await act(page, () => answers.getByText("500", { exact: true }).click());
      await expect.poll(() => answers.getByRole("radio", { name: "500" }).isChecked()).toBe(true);
      await playPayment(page, "Overpay");
      await mine(page, "Litecoin", "8");
      const id = await page.getByLabel("Deposit", { exact: true }).inputValue();
      const got = page.getByRole("table", { name: "Received webhooks" });
      await got
        .getByRole("row")
        .filter({ hasText: `Deposit ${id}` })
        .first()
        .getByText("Valid", { exact: true })
        .waitFor();
      const failing = () =>
        site.testSite().owner.list(`/callback/?filter[deposit]=${id}&filter[status]=pending`);
      // Those of one deposit are sent in order: the later ones wait behind the failing one.
      const codes = async () =>
        (await failing()).map(({ attributes }) => attributes["last_status_code"]);
      await expect.poll(codes).toContain(500);
      await page.goto(`/ui/callbacks?filter[status]=pending`);
      await page.getByText("500").first().waitFor();
      await page.goto("/ui/simulator");
      // What is chosen already is not sent again, so the page must have loaded the choice.
      await expect.poll(() => answers.getByRole("radio", { name: "500" }).isChecked()).toBe(true);
      await act(page, () => answers.getByText("200", { exact: true }).click());
      // The third attempt would follow after five minutes, if two have failed by now.
      for (const callback of await failing())
        await site.testSite().owner.ask("POST", `/callback/${callback.id}/resend/`);
      await expect.poll(async () => (await failing()).length, { timeout: 900_000 }).toBe(0);
    },
  );

  it(
    "shows the results on the overview as charts and tables, with links to what needs action",
    patience,
    async () => {
      const visit = await openDashboard(site, "/");
      const { page } = visit;
      const volume = page.getByRole("region", { name: "Volume" });
      await volume.getByText(/received and .* paid out in the last 30 days/).waitFor();
      await expect
        .poll(() => volume.locator(".recharts-bar-rectangle path").count())
        .toBeGreaterThan(0);
      // In a color of the page, not in the black of an unstyled picture.
      const fill = () =>
        page.evaluate<string>(
          "getComputedStyle(document.querySelector('.recharts-bar-rectangle path')).fill",
        );
      await expect.poll(fill).toMatch(/^(?!rgb\(0, 0, 0\))(?:rgb|oklch|color)/);
      await page
        .getByRole("region", { name: "Confirmation times" })
        .getByText(/confirmed in the last 30 days/)
        .waitFor();
      await page
        .getByRole("region", { name: "Webhooks" })
        .getByText(/delivered in the last/)
        .waitFor();
      await presentable(visit, "dashboard-overview");
      await volume.getByRole("button", { name: /^Show as table.*Volume$/ }).press("Enter");
      await volume
        .getByRole("table", { name: "Volume" })
        .getByRole("columnheader", { name: "Received" })
        .waitFor();
      await visit.expectAccessible();
      await visit.shoot("dashboard-overview-table");
      await page.getByRole("link", { name: /Deposits? on hold/ }).click();
      await page.getByRole("heading", { level: 1, name: "Deposits" }).waitFor();
      expect(new URL(page.url()).searchParams.get("filter[state]")).toBe("on_hold");
    },
  );

  it("is hidden from another tenant", patience, async () => {
    const { page, expectErrors } = await openDashboard(site, "/simulator", {
      as: site.deployment().other,
    });
    expectErrors(/403/);
    await page.getByRole("heading", { level: 1, name: "Simulator" }).waitFor();
    const answer = await site.testSite().other.ask("POST", "/simulator/block/", {
      data: { type: "simulator-block", attributes: { chain: "ETH" } },
    });
    expect([answer.status, answer.codes]).toEqual([403, ["permission_denied"]]);
  });
});

const isStatistics = ({ pathname }: URL) => pathname.startsWith("/statistics/");
const isReceiver = ({ pathname }: URL) => pathname === "/simulator/receiver/";

async function newDeposit(
  page: Page,
  alpha: string,
  amount: string,
  onceSent: () => void = () => undefined,
): Promise<void> {
  await page.getByRole("button", { name: "New test deposit" }).click();
  const dialog = page.getByRole("dialog", { name: "New test deposit" });
  const wallet = dialog.getByLabel("Receive into");
  const dollars = wallet.locator("option", { hasText: "(USD)" });
  await wallet.selectOption(await dollars.first().getAttribute("value"));
  await dialog.getByLabel("Amount (in the wallet's currency)").fill(amount);
  await dialog.getByLabel("Payment currency").selectOption({ label: alpha });
  await dialog.getByRole("button", { name: "Create" }).click();
  onceSent();
  await dialog.waitFor({ state: "detached" });
  await status(page, "New");
}

const group = (page: Page, chain: string) => page.getByRole("group", { name: chain, exact: true });

async function playPayment(page: Page, name: string): Promise<void> {
  const button = page
    .locator("button.story-button")
    .filter({ has: page.getByText(name, { exact: true }) });
  await act(page, () => button.click());
  await expect.poll(() => button.isEnabled()).toBe(true);
}

/** Resolves when the service has answered: until then the button may still be in its earlier state. */
async function act(page: Page, click: () => Promise<void>): Promise<void> {
  const answered = page.waitForResponse(
    (response) => response.request().method() === "POST" && response.url().includes("/simulator/"),
  );
  await Promise.all([answered, click()]);
}

async function mine(page: Page, chain: string, count: string): Promise<void> {
  await group(page, chain)
    .getByRole("textbox", { name: `Blocks on ${chain}` })
    .fill(count);
  const button = group(page, chain).getByRole("button", { name: "Mine" });
  await act(page, () => button.click());
  await expect.poll(() => button.isEnabled()).toBe(true);
}

async function status(page: Page, label: string): Promise<void> {
  await page.getByTestId("deposit-status").getByText(label, { exact: true }).waitFor();
}

/** Waits until the deposit shows an amount with this label. */
async function value(page: Page, name: string, amount: string): Promise<void> {
  const detail = page
    .locator(".detail-list > div")
    .filter({ has: page.getByText(name, { exact: true }) });
  await detail.getByText(amount, { exact: false }).waitFor();
}
