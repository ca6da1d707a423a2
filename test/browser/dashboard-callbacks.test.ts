/**
 * The Callbacks page: a failing receiver, its responses, resending failed callbacks, and a test delivery without money. The
 * receiver is a server of its own on this machine.
 */
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { withShop } from "../scenarios/support/shop.ts";
import type { TestSite } from "../scenarios/support/test-site.ts";
import { answerWith } from "../support/callback-receiver.ts";
import { eventually } from "../support/eventually.ts";
import { describeInBrowser } from "./support/browser-suite.ts";
import { openDashboard } from "./support/open-dashboard.ts";
import { presentable } from "./support/presentable.ts";

const patience = { timeout: 900_000 };

describeInBrowser("callbacks in the dashboard", (site) => {
  it("shows a failing receiver's responses, and delivers again once it works", patience, () =>
    withShop(site.testSite(), async (shop) => {
      shop.receiver.answer = answerWith(503, {}, "<h1>Closed for lunch</h1>");
      const deposit = await shop.deposit(await shop.wallet("enterprise", "ETH"), {
        callback_url: shop.receiver.url,
      });
      const merchant = await shop.deposit(
        await shop.wallet("merchant", "USD"),
        { callback_url: shop.receiver.url, target_amount_requested: "10" },
        "ETH",
      );
      await shop.cancel(merchant);
      expect(deposit.id).not.toBe("");
      const visit = await openDashboard(
        site,
        `/callbacks?filter[object_type]=deposit&filter[object_id]=${merchant.id}`,
      );
      const { page } = visit;
      const rows = page.getByRole("table", { name: "Deliveries" }).locator("tbody tr");
      await rows.getByText("Retrying").waitFor();
      await presentable(visit, "dashboard-callbacks");
      await rows.getByRole("link").first().click();
      const drawer = page.getByRole("dialog");
      await drawer.getByText("Closed for lunch").first().waitFor();
      await drawer.getByText("HTTP 503").first().waitFor();
      await presentable(visit, "dashboard-callback");

      const failed = shop.receiver.received.length;
      shop.receiver.answer = answerWith(200);
      await drawer.getByRole("button", { name: "Resend now" }).click();
      // The attempt that was due automatically may arrive as well.
      await drawer.getByText("Delivered (200)").first().waitFor();
      await drawer.getByRole("status").filter({ hasText: "Delivered" }).waitFor();
      await page.keyboard.press("Escape");
      await drawer.waitFor({ state: "detached" });
      await rows.getByText("Delivered", { exact: true }).waitFor();
      // Callbacks of the other deposit may arrive before and after it.
      const documents = shop.receiver.received.slice(failed).map(({ document }) => document.data);
      expect(documents).toContainEqual(
        expect.objectContaining({ type: "deposit", id: merchant.id }),
      );
    }),
  );

  it("names a failure alike in the list, its file, the log and the timeline", patience, () =>
    withShop(site.testSite(), async (shop) => {
      const attributes = { callback_url: "http://127.0.0.1:1/", target_amount_requested: "10" };
      const deposit = await shop.deposit(await shop.wallet("merchant", "USD"), attributes, "ETH");
      await shop.cancel(deposit);
      const visit = await openDashboard(
        site,
        `/callbacks?filter[object_type]=deposit&filter[object_id]=${deposit.id}`,
      );
      const { page } = visit;
      const rows = page.getByRole("table", { name: "Deliveries" }).locator("tbody tr");
      await rows.getByText("Retrying").waitFor();
      await rows.getByText("Connection failed").waitFor();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Export CSV" }).click(),
      ]);
      const lines = (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n");
      const [head = [], row = []] = lines.map((line) => line.replace("\uFEFF", "").split(","));
      expect(["Status", "Last attempt"].map((name) => row[head.indexOf(name)])).toEqual([
        "Retrying",
        "Connection failed",
      ]);
      await presentable(visit, "dashboard-callbacks-unreachable");
      await rows.getByRole("link").first().click();
      await page.getByRole("dialog").getByText("Connection failed").first().waitFor();
      await page.goto(`/ui/deposits/${deposit.id}`);
      await page.getByText(/attempt 1: Connection failed$/).waitFor();
    }),
  );

  it("resends all failed callbacks that match the filters at once", patience, () =>
    withShop(site.testSite(), async (shop) => {
      shop.receiver.answer = answerWith(500);
      const wallet = await shop.wallet("merchant", "USD");
      const ids: string[] = [];
      for (let count = 0; count < 3; count += 1) {
        const attributes = { callback_url: shop.receiver.url, target_amount_requested: "10" };
        ids.push((await shop.cancel(await shop.deposit(wallet, attributes, "ETH"))).id);
      }
      const visit = await openDashboard(site, `/callbacks?filter[wallet]=${wallet}`);
      const { page } = visit;
      const rows = page.getByRole("table", { name: "Deliveries" }).locator("tbody tr");
      await expect.poll(() => rows.getByText("Retrying").count()).toBe(3);
      await page.getByRole("button", { name: "Resend failed" }).click();
      await page.getByRole("checkbox", { name: /still being retried/ }).check();
      await presentable(visit, "dashboard-resend");
      await keepFromBeingTried(site.testSite(), ids);
      shop.receiver.answer = answerWith(200);
      await page.getByRole("button", { name: "Resend", exact: true }).click();
      await page.getByText("3 resent").waitFor();
      await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
      await expect.poll(() => rows.getByText("Delivered", { exact: true }).count()).toBe(3);
    }),
  );

  it("pauses a receiver that failed too often, until one success", patience, () =>
    withShop(site.testSite(), async (shop) => {
      shop.receiver.answer = answerWith(503);
      const wallet = await shop.wallet("merchant", "USD");
      for (let count = 0; count < 10; count += 1) {
        const attributes = { target_amount_requested: "10" };
        await shop.cancel(await shop.deposit(wallet, attributes, "ETH"));
      }
      const { host } = new URL(shop.receiver.url);
      const { owner } = site.testSite();
      const stateOf = async () => {
        // Each round adds ten failures; a round that finds nothing to send waits for the attempts under way.
        const attributes = { status: "failing", filter: { wallet } };
        await owner.post("/callback/resend/", { data: { type: "callback-resend", attributes } });
        const [receiver] = await owner.list(`/callback-receiver/?filter[host]=${host}`);
        return receiver?.attributes["state"];
      };
      await expect.poll(stateOf, { timeout: 120_000, interval: 200 }).toBe("stopped");

      const visit = await openDashboard(site, `/callbacks?filter[wallet]=${wallet}`);
      const { page } = visit;
      const rows = page.getByRole("table", { name: "Deliveries" }).locator("tbody tr");
      const pause = page.getByRole("alert").filter({ hasText: host });
      await pause.getByText(/Deliveries are paused until/).waitFor();
      await rows.getByText("Retrying").first().waitFor();
      await presentable(visit, "dashboard-callbacks-stopped");
      await page.setViewportSize({ width: 1280, height: 800 });

      shop.receiver.answer = answerWith(200);
      await rows.getByRole("link").first().click();
      const drawer = page.getByRole("dialog");
      await drawer.getByRole("button", { name: "Resend now" }).click();
      await drawer.getByText("Delivered (200)").first().waitFor();
      await page.keyboard.press("Escape");
      await pause.waitFor({ state: "detached" });
    }),
  );

  it("sends a signed test delivery that credits nothing, and rejects a wrong URL", patience, () =>
    withShop(site.testSite(), async (shop) => {
      const visit = await openDashboard(site, "/callbacks");
      visit.expectErrors(/400/);
      const { page } = visit;
      await page.getByRole("button", { name: "Send test" }).click();
      const dialog = page.getByRole("dialog");
      const url = dialog.getByRole("textbox", { name: "URL" });
      await url.fill("http://10.0.0.1/");
      await dialog.getByRole("button", { name: "Send", exact: true }).click();
      await dialog.getByText("Private network addresses aren't allowed.").waitFor();
      await presentable(visit, "dashboard-callback-test");
      await url.fill(shop.receiver.url);
      await dialog.getByRole("button", { name: "Send", exact: true }).click();
      await page.getByRole("dialog").getByText("Delivered (200)").first().waitFor();
      const [received] = shop.receiver.received;
      expect(received?.document.data).toMatchObject({ type: "test" });
      expect(received?.headers["webhook-signature"]).toMatch(/^v1,/);
    }),
  );
});

/**
 * As if the next attempts were far away: a callback that is about to be retried would not need resending. An attempt under way
 * sets the time of the next one itself, so this repeats until none is.
 */
async function keepFromBeingTried({ sql }: TestSite, deposits: readonly string[]): Promise<void> {
  const ofThem = "object_type = 'deposit' and object_id = any($1::bigint[])";
  await eventually(
    async () => {
      const [soon] = await sql<{ readonly count: number }>(
        `select count(*)::int as count from callback
         where ${ofThem} and (claimed_until is not null or due_at < created_at + interval '30 minutes')`,
        [deposits],
      );
      await sql(
        `update callback set due_at = due_at + interval '1 hour'
         where ${ofThem} and claimed_until is null and due_at < created_at + interval '30 minutes'`,
        [deposits],
      );
      return soon?.count;
    },
    (count) => count === 0,
  );
}
