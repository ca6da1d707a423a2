/**
 * Shows that an open payment page outlives its service: the api process that serves it is killed while the page is open and
 * money arrives, and started again. The page says that it reconnects, and then what has happened, without being loaded again.
 * One to which no stream comes through asks by itself; and where too much was asked, pages say so and wait as long as they are told.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Request } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import { addSeconds } from "../../src/platform/kernel/clock.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { formatTimestamp } from "../../src/platform/kernel/timestamp.ts";
import type { KeptProcess } from "../../src/platform/processes/kept-process.ts";
import { quietPort } from "../scenarios/stage/quiet-port.ts";
import { startSluice } from "../scenarios/stage/run-sluice.ts";
import { addressOf, withShop } from "../scenarios/stage/shop.ts";
import { eventually } from "../support/eventually.ts";
import { describeInBrowser } from "./support/browser-suite.ts";
import { pagePath, payerOf } from "./support/payment-page.ts";

describeInBrowser("a payment page whose service goes away", (site) => {
  test("says so, asks again and again, and recovers by itself", { timeout: 600_000 }, () =>
    withShop(site.stage(), async (shop) => {
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
      // Another process of the same service, with an address of its own; and what a browser logs of connections that break.
      visit.expectErrors(new RegExp(`^asked elsewhere: ${origin}/`), /ERR_/);
      await visit.page.goto(`${origin}${pagePath(deposit)}`);
      const payer = await payerOf(visit);
      await payer.expectTitle("Waiting for payment");
      const status = visit.page.locator(".connection");
      await status.getByText("This page updates by itself.").waitFor();

      let asked = 0;
      visit.page.on("request", (request) => {
        if (request.url().endsWith("/state/")) asked += 1;
      });
      api.kill();
      await api.ended;
      await status.getByText("Reconnecting…").waitFor();
      await payer.expectPresentable("reconnecting");
      await site.stage().onChain("BTC", async (chain) => {
        await chain.pay("BTC", addressOf(deposit), "0.002");
        await chain.mine(2);
      });
      await shop.expectDeposit(deposit, { target_paid: "100.00" });
      // How much more rarely each time is shown by `pure-parts.test.ts`.
      await expect.poll(() => asked).toBeGreaterThanOrEqual(3);
      await payer.expectTitle("Waiting for payment");

      api = await startApi(site.deployment().configFile, port, join(logs, "2.log"));
      // It asks every 45 seconds at most.
      await visit.page
        .getByRole("heading", { level: 1, name: "Paid", exact: true })
        .waitFor({ timeout: 120_000 });
      await payer.expectSameDocument();
    }),
  );

  test("asks by itself where streams are refused, and becomes paid", { timeout: 600_000 }, () =>
    withShop(site.stage(), async (shop) => {
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
      const asked: string[] = [];
      visit.page.on("response", (response) => {
        if (response.url().endsWith("/state/")) asked.push(String(response.status()));
      });
      await site.stage().onChain("BTC", async (chain) => {
        await chain.pay("BTC", addressOf(deposit), "0.002");
        await payer.expectTitle("Payment seen");
        await visit.page.getByText("This page updates by itself.").waitFor();
        await chain.mine(2);
      });
      await payer.expectTitle("Paid");
      await payer.expectSameDocument();
      expect(asked.length).toBeGreaterThan(0);
      expect(new Set(asked)).toEqual(new Set(["200"]));
    }),
  );

  test(
    "is readable when it was asked for too often, and asks no more than it may",
    {
      timeout: 600_000,
    },
    () =>
      withShop(site.stage(), async (shop) => {
        const deposit = await shop.deposit(
          await shop.wallet("merchant", "USD"),
          { target_amount_requested: "100" },
          "BTC",
        );
        const port = await quietPort();
        const address = `http://127.0.0.1:${port}${pagePath(deposit)}`;
        const { configFile } = site.deployment();
        const logs = await mkdtemp(join(tmpdir(), "sluice-throttled-"));
        const api = await startApi(await withPageBudget(configFile, 20), port, join(logs, "1.log"));
        onTestFinished(async () => {
          await api.end(systemClock, 30_000);
          await rm(logs, { recursive: true, force: true });
        });
        const open = async () => {
          const visit = await site.open("/healthz", { device: "phone" });
          visit.expectErrors(/^asked elsewhere: http:\/\/127\.0\.0\.1:/, /ERR_FAILED/, /429/);
          await visit.context.route("**/events", (route) => route.abort());
          return visit;
        };
        const visits = [await open(), await open(), await open()] as const;
        // What the tests before this one asked for is counted with it: they came from the same address.
        await site.stage().sql("delete from throttle_window");
        await visits[0].page.goto(address);
        const early = await payerOf(visits[0]);
        await early.expectTitle("Waiting for payment");
        const asked: Request[] = [];
        early.page.on("requestfinished", (request) => {
          if (request.url().endsWith("/state/")) asked.push(request);
        });
        // Some of the minute that the budget is for is over, so that this test need not wait for all of it.
        await site
          .stage()
          .sql("update throttle_window set opened_at = $1", [
            formatTimestamp(addSeconds(systemClock.now(), -20)),
          ]);
        // Enough of it is left, too, for what has to happen in it.
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
        // One is looked at for as long as that takes, the other one left to itself.
        await visits[1].page.evaluate("for (let id = 1; id < 1000; id += 1) clearTimeout(id)");
        const shown = await payerOf(visits[1]);
        await expect.poll(async () => (await refusalsAmong(asked)).length).toBeGreaterThan(0);
        // What makes a page look at once otherwise.
        await early.page.evaluate("dispatchEvent(new Event('online'))");
        await shown.expectTitle("Too many requests");
        await expect.poll(() => shown.page.title()).toBe("Too many requests");
        await shown.expectPresentable("throttled");

        const refused = present((await refusalsAmong(asked))[0], "a refusal");
        const later = () => asked.slice(asked.indexOf(refused.request) + 1);
        await expect.poll(() => later().length, { timeout: 150_000 }).toBeGreaterThan(0);
        const again = present(later()[0], "the next question");
        // By the browser's own watch. A second off for what the header rounds.
        const passedMs = again.timing().startTime - refused.request.timing().startTime;
        expect(passedMs).toBeGreaterThan((refused.retryAfter - 1) * 1_000);
        await visits[2].page
          .getByRole("heading", { level: 1, name: "Waiting for payment" })
          .waitFor({ timeout: 120_000 });
        await shown.page.getByRole("link", { name: "Try again" }).click();
        await shown.expectTitle("Waiting for payment");
        await early.expectTitle("Waiting for payment");
        await early.expectSameDocument();
      }),
  );
});

/** Those that were refused for now, in order, and for how many seconds. */
async function refusalsAmong(asked: readonly Request[]) {
  const answers = await Promise.all(
    asked.map(async (request) => ({ request, response: await request.response() })),
  );
  return answers.flatMap(({ request, response }) =>
    response?.status() === 429
      ? [{ request, retryAfter: Number(response.headers()["retry-after"]) }]
      : [],
  );
}

/** The same deployment, but with so many requests a minute for its pages; beside it, since the configuration names files. */
async function withPageBudget(configFile: string, page: number): Promise<string> {
  const config = JSON.parse(await readFile(configFile, "utf8")) as object;
  const tight = join(dirname(configFile), "tight.json");
  await writeFile(tight, JSON.stringify({ ...config, throttle: { page } }), { mode: 0o600 });
  return tight;
}

async function startApi(configFile: string, port: number, logFile: string): Promise<KeptProcess> {
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
