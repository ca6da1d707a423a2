import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { present } from "../../../src/platform/kernel/assert.ts";
import { addSeconds } from "../../../src/platform/kernel/clock.ts";
import { systemClock } from "../../../src/platform/kernel/system-clock.ts";
import { formatTimestamp } from "../../../src/platform/kernel/timestamp.ts";
import type { Deployment } from "../../scenarios/support/deployment.ts";
import { startSandboxDeployment } from "../../scenarios/support/sandbox-deployment.ts";
import { openTestSite, type TestSite } from "../../scenarios/support/test-site.ts";
import { eventually } from "../../support/eventually.ts";
import { outOfTime } from "../../support/time-budget.ts";
import { buildPrograms } from "./build-programs.ts";
import { chromiumFlags, findChromium } from "./find-chromium.ts";
import { type Appearance, openVisit, resultsFolder, type Visit } from "./visit.ts";

/** A sandbox as started by `npm start`, and a browser. Available inside tests only. */
export type BrowserSite = {
  /** API clients, control of the chains, and SQL access. */
  readonly testSite: () => TestSite;
  readonly deployment: () => Deployment;
  /** `http://127.0.0.1:15123`. */
  readonly origin: () => string;
  /** Resolves when the rate limit permits another sign-in. */
  readonly untilSignInAllowed: () => Promise<void>;
  /**
   * Opens a path in its own browser context. Closes it at the end of the test, which fails after unexpected console errors,
   * exceptions, or requests to other origins.
   */
  readonly open: (path: string, look?: Appearance) => Promise<Visit>;
};

/**
 * Runs tests on one sandbox with one Chromium. `chains` selects the sandbox's chains, as `SLUICE_CHAINS` does. Without Chromium, or
 * out of time in CI, the suite is skipped and its title says why.
 */
export function describeInBrowser(
  name: string,
  tests: (site: BrowserSite) => void,
  chains: string | null = null,
): void {
  const late = outOfTime(process.env, Date.now());
  const found = late === null ? findChromium(process.env) : { reason: late };
  if ("reason" in found) {
    process.stderr.write(`\n${name}: NOT RUN, ${found.reason}\n`);
    it.skip(`${name}: NOT RUN, ${found.reason}`, () => undefined);
    return;
  }
  describe(name, () => {
    tests(useBrowserSite(found.program, chains));
  });
}

function useBrowserSite(program: string, chains: string | null): BrowserSite {
  let deployment: Deployment | null = null;
  let testSite: TestSite | null = null;
  let browser: Browser | null = null;
  beforeAll(async () => {
    await buildPrograms();
    [deployment, browser] = await Promise.all([
      startSandboxDeployment(chains === null ? {} : { SLUICE_CHAINS: chains }),
      chromium.launch({ executablePath: program, args: [...chromiumFlags] }),
    ]);
    testSite = await openTestSite(deployment);
    // Starting both takes seconds, or minutes on a busy machine.
  }, 900_000);
  afterAll(async () => {
    await browser?.close();
    await testSite?.close();
    await deployment?.stop();
  });
  const origin = (): string => present(present(deployment, "the deployment").apis[0], "its api");
  return {
    testSite: () => present(testSite, "the test site"),
    deployment: () => present(deployment, "the deployment"),
    origin,
    untilSignInAllowed: () => untilSignInAllowed(present(testSite, "the test site")),
    open: async (path, look = {}) => {
      const visit = await openVisit(present(browser, "the browser"), origin(), look);
      onTestFinished(async ({ task }) => {
        if (task.result?.state === "fail") await saveFailure(visit, task.name);
        await visit.close();
        expect(visit.faults()).toEqual([]);
      });
      await visit.page.goto(path);
      return visit;
    },
  };
}

/** Sign-ins per minute and address that `/token/` and `/session/` accept. All test users share one address. */
const signInsPerMinute = 15;

async function untilSignInAllowed({ sql }: TestSite): Promise<void> {
  await eventually(
    () =>
      sql<{ readonly granted: number }>(
        "select granted from throttle_window where bucket = 'token:ip/127.0.0.1' and opened_at > $1",
        [formatTimestamp(addSeconds(systemClock.now(), -61))],
      ),
    ([window]) => (window?.granted ?? 0) < signInsPerMinute,
    90,
  );
}

/** Saves a screenshot of a failed test, unless the browser crashed. */
async function saveFailure({ page }: Visit, testName: string): Promise<void> {
  const folder = join(resultsFolder, "failures");
  await mkdir(folder, { recursive: true });
  const name = testName.replaceAll(/[^\w]+/g, "-").slice(0, 80);
  await page
    .screenshot({ path: join(folder, `${name}.png`), fullPage: true })
    .catch(() => undefined);
}
