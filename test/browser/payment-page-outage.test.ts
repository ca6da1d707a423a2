/**
 * Tests that an open payment page survives outages. The api process is killed while the page is open and a payment arrives, and is
 * started again: the page reconnects and shows the payment without a reload. A page polls where streams are blocked, and a
 * throttled page waits for Retry-After.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Request } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import { addSeconds } from "../../src/platform/kernel/clock.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { formatTimestamp } from "../../src/platform/kernel/timestamp.ts";
import type { SupervisedProcess } from "../../src/platform/processes/supervised-process.ts";
import { quietPort } from "../scenarios/support/quiet-port.ts";
import { startSluice } from "../scenarios/support/run-sluice.ts";
import { addressOf, withShop } from "../scenarios/support/shop.ts";
import { eventually } from "../support/eventually.ts";
import { describeInBrowser } from "./support/browser-suite.ts";
import { pagePath, payerOf } from "./support/payment-page.ts";

describeInBrowser("the payment page during outages", (site) => {
  it("reports the lost connection, retries, and recovers", { timeout: 900_000 }, () =>
    withShop(site.testSite(), async (shop) => {
      const deposit = await shop.deposit(
        await shop.wallet("merchant", "USD"),
        { target_amount_requested: "100" },
        "BTC",
      );
      const port = await quietPort();
      const origin = `http://127.0.0.1:${port}`;
      const logs = await mkdtemp(join(tmpdir(), "sluice-outage-"));
      let api = await startApi(site.deployment().configFile, port, join(logs, "1.log"));
      onTestFinished(async () => {
        await api.end(systemClock, 30_000);
        await rm(logs, { recursive: true, force: true });
      });
      const visit = await site.open("/healthz", { device: "phone" });
      // Another process of the service has its own origin, and browsers log broken connections.
      visit.expectErrors(new RegExp(`^foreign request: ${origin}/`), /ERR_/);
      await visit.page.goto(`${origin}${pagePath(deposit)}`);
      const payer = await payerOf(visit);
      await payer.expectTitle("Waiting for payment");
      const status = visit.page.locator(".connection");
      await status.getByText("Live updates are on.").waitFor();

      let requestCount = 0;
      visit.page.on("request", (request) => {
        if (request.url().endsWith("/state/")) requestCount += 1;
      });
      api.kill();
      await api.ended;
      await status.getByText("Reconnecting…").waitFor();
      await payer.expectPresentable("reconnecting");
      await site.testSite().onChain("BTC", async (chain) => {
        await chain.pay("BTC", addressOf(deposit), "0.002");
        await chain.mine(2);
      });
      await shop.expectDeposit(deposit, { target_paid: "100.00" });
      // `page-logic.test.ts` covers the growing delays.
      await expect.poll(() => requestCount).toBeGreaterThanOrEqual(3);
      await payer.expectTitle("Waiting for payment");

      api = await startApi(site.deployment().configFile, port, join(logs, "2.log"));
      // The longest delay between requests is 45 seconds.
      await visit.page
        .getByRole("heading", { level: 1, name: "Paid", exact: true })
        .waitFor({ timeout: 900_000 });
      await payer.expectSameDocument();
    }),
  );

  it("polls where streams are blocked", { timeout: 900_000 }, () =>
    withShop(site.testSite(), async (shop) => {
      const deposit = await shop.deposit(
        await shop.wallet("merchant", "USD"),
        { target_amount_requested: "100" },
        "BTC",
      );
      const visit = await site.open("/healthz", { device: "phone" });
      visit.expectErrors(/ERR_FAILED .*\/events$/);
      await visit.context.route("**/events", (route) => route.abort());
      await visit.page.goto(pagePath(deposit));
      const payer = await payerOf(visit);
      await payer.expectTitle("Waiting for payment");
      const requests: string[] = [];
      visit.page.on("response", (response) => {
        if (response.url().endsWith("/state/")) requests.push(String(response.status()));
      });
      await site.testSite().onChain("BTC", async (chain) => {
        await chain.pay("BTC", addressOf(deposit), "0.002");
        await payer.expectTitle("Payment detected");
        await visit.page.getByText("Live updates are on.").waitFor();
        await chain.mine(2);
      });
      await payer.expectTitle("Paid");
      await payer.expectSameDocument();
      expect(requests.length).toBeGreaterThan(0);
      expect(new Set(requests)).toEqual(new Set(["200"]));
    }),
  );

  it(
    "explains throttling and waits for Retry-After",
    {
      timeout: 900_000,
    },
    () =>
      withShop(site.testSite(), async (shop) => {
        const deposit = await shop.deposit(
          await shop.wallet("merchant", "USD"),
          { target_amount_requested: "100" },
          "BTC",
        );
        const port = await quietPort();
        const address = `http://127.0.0.1:${port}${pagePath(deposit)}`;
        const { configFile } = site.deployment();
        const logs = await mkdtemp(join(tmpdir(), "sluice-throttled-"));
        const api = await startApi(await withPageLimit(configFile, 20), port, join(logs, "1.log"));
        onTestFinished(async () => {
          await api.end(systemClock, 30_000);
          await rm(logs, { recursive: true, force: true });
        });
        const open = async () => {
          const visit = await site.open("/healthz", { device: "phone" });
          visit.expectErrors(/^foreign request: http:\/\/127\.0\.0\.1:/, /ERR_FAILED/, /429/);
          await visit.context.route("**/events", (route) => route.abort());
          return visit;
        };
        const visits = [await open(), await open(), await open()] as const;
        // The requests of earlier tests came from the same address.
        await site.testSite().sql("delete from throttle_window");
        await visits[0].page.goto(address);
        const early = await payerOf(visits[0]);
        await early.expectTitle("Waiting for payment");
        const requests: Request[] = [];
        early.page.on("requestfinished", (request) => {
          if (request.url().endsWith("/state/")) requests.push(request);
        });
        // Part of the window has passed, which shortens the test.
        await site
          .testSite()
          .sql("update throttle_window set opened_at = $1", [
            formatTimestamp(addSeconds(systemClock.now(), -20)),
          ]);
        // Enough of the window is left for the steps below.
        await eventually(
          () => fetch(address).then(({ headers }) => Number(headers.get("retry-after"))),
          (seconds) => seconds > 20,
          150,
        );
        const answers = await Promise.all(visits.slice(1).map(({ page }) => page.goto(address)));
        for (const answer of answers) {
          expect(answer?.status()).toBe(429);
          expect(Number(answer?.headers()["retry-after"])).toBeGreaterThan(0);
        }
        // The first page stays throttled for inspection; the second reloads itself.
        await visits[1].page.evaluate("for (let id = 1; id < 1000; id += 1) clearTimeout(id)");
        const shown = await payerOf(visits[1]);
        await expect.poll(async () => (await listThrottled(requests)).length).toBeGreaterThan(0);
        // Without throttling this event causes a request at once.
        await early.page.evaluate("dispatchEvent(new Event('online'))");
        await shown.expectTitle("Too many requests");
        await expect.poll(() => shown.page.title()).toBe("Too many requests");
        await shown.expectPresentable("throttled");

        const refused = present((await listThrottled(requests))[0], "a refusal");
        const later = () => requests.slice(requests.indexOf(refused.request) + 1);
        await expect.poll(() => later().length, { timeout: 150_000 }).toBeGreaterThan(0);
        const again = present(later()[0], "the next question");
        // Measured by the browser. The header is rounded to whole seconds.
        const passedMs = again.timing().startTime - refused.request.timing().startTime;
        expect(passedMs).toBeGreaterThan((refused.retryAfter - 1) * 1_000);
        await visits[2].page
          .getByRole("heading", { level: 1, name: "Waiting for payment" })
          .waitFor({ timeout: 900_000 });
        await shown.page.getByRole("link", { name: "Try again" }).click();
        await shown.expectTitle("Waiting for payment");
        await early.expectTitle("Waiting for payment");
        await early.expectSameDocument();
      }),
  );
});

/** Lists the throttled requests in order with their Retry-After. */
async function listThrottled(requests: readonly Request[]) {
  const answers = await Promise.all(
    requests.map(async (request) => ({ request, response: await request.response() })),
  );
  return answers.flatMap(({ request, response }) =>
    response?.status() === 429
      ? [{ request, retryAfter: Number(response.headers()["retry-after"]) }]
      : [],
  );
}

/** Writes a copy of the configuration with another page limit. It stays in the same folder because the configuration contains relative paths. */
async function withPageLimit(configFile: string, page: number): Promise<string> {
  const config = JSON.parse(await readFile(configFile, "utf8")) as object;
  const tight = join(dirname(configFile), "tight.json");
  await writeFile(tight, JSON.stringify({ ...config, throttle: { page } }), { mode: 0o600 });
  return tight;
}

async function startApi(
  configFile: string,
  port: number,
  logFile: string,
): Promise<SupervisedProcess> {
  const api = startSluice(logFile, ["api", "--config", configFile, "--port", String(port)]);
  await eventually(
    () =>
      fetch(`http://127.0.0.1:${port}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    (isUp) => isUp,
    60,
  );
  return api;
}
