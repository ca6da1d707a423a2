import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { present } from "../../../src/platform/kernel/assert.ts";
import { addSeconds } from "../../../src/platform/kernel/clock.ts";
import { systemClock } from "../../../src/platform/kernel/system-clock.ts";
import { formatTimestamp } from "../../../src/platform/kernel/timestamp.ts";
import type { Deployment } from "../../scenarios/stage/deployment.ts";
import { startSandboxDeployment } from "../../scenarios/stage/sandbox-deployment.ts";
import { openStage, type Stage } from "../../scenarios/stage/stage.ts";
import { eventually } from "../../support/eventually.ts";
import { buildPrograms } from "./build-programs.ts";
import { chromiumFlags, findChromium } from "./find-chromium.ts";
import { type Look, openVisit, resultsFolder, type Visit } from "./visit.ts";

/** A sandbox as `npm start` brings it up, and a browser to look at it. Usable inside tests, not before. */
export type BrowserSite = {
  /** Everybody who acts beside the browser: clients of the API, hands on the chains, SQL for looking. */
  readonly stage: () => Stage;
  readonly deployment: () => Deployment;
  /** `http://127.0.0.1:15123`. */
  readonly origin: () => string;
  /** Resolves when somebody may sign in: the more quickly a suite goes, the sooner its people are too many for a minute. */
  readonly roomToSignIn: () => Promise<void>;
  /**
   * Opens a path in a browser of its own. When the test ends the visit is closed, and the test fails when there was an error on
   * the console, one thrown by the page, or a request to another origin.
   */
  readonly open: (path: string, look?: Look) => Promise<Visit>;
};

/** Registers tests on one sandbox and one Chromium; where there is no Chromium the suite's name says why it does not run. */
export function describeInBrowser(name: string, tests: (site: BrowserSite) => void): void {
  const found = findChromium(process.env);
  if ("reason" in found) {
    process.stderr.write(`\n${name}: NOT RUN, ${found.reason}\n`);
    test.skip(`${name}: NOT RUN, ${found.reason}`, () => undefined);
    return;
  }
  describe(name, () => {
    tests(useBrowserSite(found.program));
  });
}

function useBrowserSite(program: string): BrowserSite {
  let deployment: Deployment | null = null;
  let stage: Stage | null = null;
  let browser: Browser | null = null;
  beforeAll(async () => {
    await buildPrograms();
    [deployment, browser] = await Promise.all([
      startSandboxDeployment(),
      chromium.launch({ executablePath: program, args: [...chromiumFlags] }),
    ]);
    stage = await openStage(deployment);
    // A sandbox and a browser: seconds, or minutes where much else goes on.
  }, 600_000);
  afterAll(async () => {
    await browser?.close();
    await stage?.close();
    await deployment?.stop();
  });
  const origin = (): string => present(present(deployment, "the deployment").apis[0], "its api");
  return {
    stage: () => present(stage, "the stage"),
    deployment: () => present(deployment, "the deployment"),
    origin,
    roomToSignIn: () => roomToSignIn(present(stage, "the stage")),
    open: async (path, look = {}) => {
      const visit = await openVisit(present(browser, "the browser"), origin(), look);
      onTestFinished(async ({ task }) => {
        if (task.result?.state === "fail") await keepFailure(visit, task.name);
        await visit.close();
        expect(visit.faults()).toEqual([]);
      });
      await visit.page.goto(path);
      return visit;
    },
  };
}

/** What `/token/` and `/session/` take in a minute from one address, which is that of everybody here. */
const signInsAMinute = 15;

async function roomToSignIn({ sql }: Stage): Promise<void> {
  await eventually(
    () =>
      sql<{ readonly granted: number }>(
        "select granted from throttle_window where bucket = 'token:ip/127.0.0.1' and opened_at > $1",
        [formatTimestamp(addSeconds(systemClock.now(), -61))],
      ),
    ([window]) => (window?.granted ?? 0) < signInsAMinute,
    90,
  );
}

/** What the page looked like when the test failed; a browser that crashed has nothing to show. */
async function keepFailure({ page }: Visit, testName: string): Promise<void> {
  const folder = join(resultsFolder, "failures");
  await mkdir(folder, { recursive: true });
  const name = testName.replaceAll(/[^\w]+/g, "-").slice(0, 80);
  await page
    .screenshot({ path: join(folder, `${name}.png`), fullPage: true })
    .catch(() => undefined);
}
