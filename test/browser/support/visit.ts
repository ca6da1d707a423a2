import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import axe from "axe-core";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { expect } from "vitest";

export type Device = "phone" | "desktop";
export type Scheme = "light" | "dark";

/** How somebody looks at a page. */
export type Look = {
  readonly device?: Device;
  readonly scheme?: Scheme;
  /** The language of the browser, default `en-US`. */
  readonly locale?: string;
};

/** A page in a browser of its own: nothing is shared with other visits, as with other people. */
export type Visit = {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly look: Required<Look>;
  /**
   * Keeps a picture as `test-results/screenshots/<name>-<device>-<scheme>.png`: of the whole page, or of the window alone where the
   * page is very long.
   */
  readonly shoot: (name: string) => Promise<void>;
  /** Expects no fault of axe's rules for WCAG 2.2 A and AA in what is shown now, in `selector` alone if it is given. */
  readonly expectAccessible: (selector?: string) => Promise<void>;
  /** Messages on the console that belong to the story, such as of an answer 422. */
  readonly expectErrors: (...patterns: readonly RegExp[]) => void;
  /** What nobody expected: errors on the console or thrown by the page, requests to another origin. */
  readonly faults: () => readonly string[];
  readonly close: () => Promise<void>;
};

/**
 * Presses a button, and waits until something on the page has been called `label` since. It may be called so for a moment only, as
 * "Copied" is: the page itself keeps watch from before.
 */
export async function pressAndSee(button: Locator, label: string): Promise<void> {
  const page = button.page();
  await page.evaluate(`void (window.called = new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error("nothing was called so")), ${patienceMs});
    new MutationObserver(() => {
      if (document.querySelector('[aria-label="' + CSS.escape(${JSON.stringify(label)}) + '"]') !== null) resolve();
    }).observe(document.body, { subtree: true, childList: true, attributeFilter: ["aria-label"] });
  }))`);
  await button.click();
  await page.evaluate("window.called");
}

export const resultsFolder = join(import.meta.dirname, "../../../test-results");
/** Longer than any page, and any block that it waits for, takes on a busy machine. */
export const patienceMs = 120_000;
const sizes = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1280, height: 800 },
} as const;
const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** Opens an empty page; `origin` is the only place that it may ask. */
export async function openVisit(browser: Browser, origin: string, look: Look): Promise<Visit> {
  const { device = "desktop", scheme = "light", locale = "en-US" } = look;
  const context = await browser.newContext({
    baseURL: origin,
    viewport: sizes[device],
    colorScheme: scheme,
    locale,
    timezoneId: "UTC",
    ...(device === "phone" ? { hasTouch: true, isMobile: true, deviceScaleFactor: 2 } : {}),
    reducedMotion: "reduce",
    acceptDownloads: true,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  const watched = watch(page, origin);
  return {
    page,
    context,
    look: { device, scheme, locale },
    shoot: async (name) => {
      const folder = join(resultsFolder, "screenshots");
      await mkdir(folder, { recursive: true });
      const path = join(folder, `${name}-${device}-${scheme}.png`);
      const height = await page.evaluate<number>("document.documentElement.scrollHeight");
      const fullPage = height <= sizes[device].height * 3;
      await page.screenshot({ path, fullPage, animations: "disabled", caret: "initial" });
    },
    expectAccessible: async (selector) => {
      expect(await violations(page, selector ?? null)).toEqual([]);
    },
    expectErrors: watched.expectErrors,
    faults: watched.faults,
    close: () => context.close(),
  };
}

function watch(page: Page, origin: string): Pick<Visit, "expectErrors" | "faults"> {
  const faults: string[] = [];
  const expected: RegExp[] = [];
  page.on("console", (message) => {
    const where = message.location().url;
    if (message.type() === "error") faults.push(`console: ${message.text()} ${where}`.trim());
  });
  page.on("pageerror", (error) => {
    faults.push(`thrown: ${error.stack ?? error.message}`);
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!/^(?:data|blob):/.test(url) && new URL(url).origin !== origin)
      faults.push(`asked elsewhere: ${url}`);
  });
  return {
    expectErrors: (...patterns) => {
      expected.push(...patterns);
    },
    faults: () => faults.filter((fault) => !expected.some((pattern) => pattern.test(fault))),
  };
}

type AxeViolation = {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly {
    readonly target: readonly string[];
    readonly failureSummary: string;
  }[];
};

/** Axe reaches the page through the debugging protocol, which the page's policy does not concern. */
async function violations(page: Page, selector: string | null): Promise<readonly string[]> {
  const isThere = await page.evaluate("typeof window.axe === 'object'");
  if (isThere !== true) await page.evaluate(axe.source);
  const options = { runOnly: { type: "tag", values: rules }, resultTypes: ["violations"] };
  const target = selector === null ? "document" : JSON.stringify(selector);
  const found = await page.evaluate<readonly AxeViolation[]>(
    `axe.run(${target}, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id} (${help}): ${node.target.join(" ")}: ${node.failureSummary}`),
  );
}
