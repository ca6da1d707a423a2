import { type Browser, type CDPSession, chromium, type Page } from "playwright-core";
import { assert } from "../../src/platform/kernel/assert.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { buildPrograms } from "../browser/support/build-programs.ts";
import { chromiumFlags, findChromium } from "../browser/support/find-chromium.ts";
import { pagePath } from "../browser/support/payment-page.ts";
import { startSandboxDeployment } from "../scenarios/support/sandbox-deployment.ts";
import { addressOf, type Shop, withShop } from "../scenarios/support/shop.ts";
import { openTestSite, type TestSite } from "../scenarios/support/test-site.ts";
import type { BenchSite } from "./bench-site.ts";
import { median, timed } from "./measure.ts";
import { boundFinding, type Finding } from "./report.ts";

const loads = 7;

type Device = {
  readonly name: string;
  /** CPU slowdown factor. */
  readonly slowdown: number;
  /** Network throttling; null if there is none. */
  readonly network: { readonly latency: number; readonly bytesPerSecond: number } | null;
  /** Upper bounds; for the first paint the Web Vitals threshold. */
  readonly paintMsMax: number;
};

/** A mid-range phone on a mobile network, as in Lighthouse: 150 ms round trip, 1.6 Mbit/s. */
const devices: readonly Device[] = [
  { name: "desktop", slowdown: 1, network: null, paintMsMax: 1_800 },
  {
    name: "phone, CPU 4 times slower, slow 4G",
    slowdown: 4,
    network: { latency: 150, bytesPerSecond: 204_800 },
    paintMsMax: 1_800,
  },
];

/** What a payer waits for, by Chromium's own clocks: first paint, reactions to input, and news of a payment. */
export async function benchPageSpeed({ teardown }: BenchSite): Promise<readonly Finding[]> {
  const found = findChromium(process.env);
  assert("program" in found, "there is a Chromium to measure with");
  await buildPrograms();
  const deployment = await startSandboxDeployment();
  teardown.add("sandbox", () => deployment.stop());
  const testSite = await openTestSite(deployment);
  teardown.add("test site", () => testSite.close());
  const browser = await chromium.launch({
    executablePath: found.program,
    args: [...chromiumFlags],
  });
  teardown.add("browser", () => browser.close());
  const findings: Finding[] = [];
  for (const device of devices)
    findings.push(
      ...(await withShop(testSite, (shop) => measure(device, { browser, testSite, shop }))),
    );
  return findings;
}

type Site = { readonly browser: Browser; readonly testSite: TestSite; readonly shop: Shop };

async function measure(device: Device, site: Site): Promise<readonly Finding[]> {
  const wallet = await site.shop.wallet("merchant", "USD");
  const visits: Visit[] = [];
  for (let load = 0; load < loads; load += 1) visits.push(await visit(device, site, wallet));
  const middle = (pick: (one: Visit) => number): number => median(visits.map(pick));
  const { name } = device;
  return [
    boundFinding(
      `${name}: bytes of the first load`,
      middle(({ bytes }) => bytes),
      "bytes",
      70_000,
    ),
    boundFinding(
      `${name}: first contentful paint, nothing cached`,
      middle(({ paintMs }) => paintMs),
      "ms",
      device.paintMsMax,
    ),
    boundFinding(
      `${name}: largest contentful paint`,
      middle(({ largestMs }) => largestMs),
      "ms",
      2_500,
    ),
    boundFinding(
      `${name}: layout shift`,
      middle(({ shift }) => shift),
      "",
      0.1,
    ),
    boundFinding(
      `${name}: slowest response to a key or a click`,
      middle(({ interactionMs }) => interactionMs),
      "ms",
      200,
    ),
    boundFinding(
      `${name}: from the choice to the address`,
      middle(({ choiceMs }) => choiceMs),
      "ms",
      null,
    ),
    boundFinding(
      `${name}: from the payment to its display`,
      middle(({ seenMs }) => seenMs),
      "ms",
      null,
    ),
  ];
}

type Visit = {
  readonly bytes: number;
  readonly paintMs: number;
  readonly largestMs: number;
  readonly shift: number;
  readonly interactionMs: number;
  readonly choiceMs: number;
  readonly seenMs: number;
};

/** A new payer with an empty cache opens the page, searches, chooses ether and pays. */
async function visit(device: Device, site: Site, wallet: string): Promise<Visit> {
  const deposit = await site.shop.deposit(wallet, { target_amount_requested: "100" });
  const context = await site.browser.newContext({ viewport: { width: 390, height: 844 } });
  try {
    const page = await context.newPage();
    await slowDown(await context.newCDPSession(page), device);
    await page.addInitScript(observers);
    await page.goto(`${site.testSite.deployment.apis[0] ?? ""}${pagePath(deposit)}`);
    await page.getByLabel("Search currency or network").pressSequentially("eth", { delay: 50 });
    await page.getByRole("option", { name: "0.04 ETH" }).click();
    // Observers receive events one frame later.
    await systemClock.sleep(500);
    const seen = await page.evaluate<Omit<Visit, "choiceMs" | "seenMs">>(readObserved);
    const choiceMs = await choose(page);
    const address = addressOf({ ...deposit, attributes: await site.shop.read(deposit) });
    const seenMs = await site.testSite.onChain("ETH", async (chain) => {
      await chain.pay("ETH", address, "0.04");
      const seen = page.getByRole("heading", { name: "Payment detected" });
      return 1_000 * (await timed(() => seen.waitFor()));
    });
    return { ...seen, choiceMs, seenMs };
  } finally {
    await context.close();
  }
}

async function slowDown(session: CDPSession, { slowdown, network }: Device): Promise<void> {
  await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  if (network === null) return;
  const { latency, bytesPerSecond } = network;
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond / 2,
  });
}

async function choose(page: Page): Promise<number> {
  const seconds = await timed(async () => {
    await page.getByRole("button", { name: "Pay with" }).click();
    await page.getByRole("heading", { name: "Waiting for payment" }).waitFor();
  });
  return seconds * 1_000;
}

const observers = `
  window.observed = { largestMs: 0, shift: 0, interactionMs: 0 };
  const watch = (type, see, more) =>
    new PerformanceObserver((list) => list.getEntries().forEach(see)).observe({ type, buffered: true, ...more });
  watch("largest-contentful-paint", ({ startTime }) => { observed.largestMs = startTime; });
  watch("layout-shift", ({ value, hadRecentInput }) => { if (!hadRecentInput) observed.shift += value; });
  watch("event", ({ duration, interactionId }) => {
    if (interactionId > 0) observed.interactionMs = Math.max(observed.interactionMs, duration);
  }, { durationThreshold: 16 });
`;

const readObserved = `(() => {
  const [paint] = performance.getEntriesByName("first-contentful-paint");
  const loaded = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
    .filter(({ name }) => !name.endsWith("/events"));
  const bytes = loaded.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
  return { ...observed, bytes, paintMs: paint.startTime };
})()`;
