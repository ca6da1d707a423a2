import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import axe from "axe-core";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { expect } from "vitest";

export type Device = "phone" | "tablet" | "desktop";
export type Scheme = "light" | "dark";

/** Device, color scheme and language of a browser. */
export type Appearance = {
  readonly device?: Device;
  readonly scheme?: Scheme;
  /** The language of the browser, default `en-US`. */
  readonly locale?: string;
};

/** A page in its own browser context, isolated from other visits. */
export type Visit = {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly appearance: Required<Appearance>;
  /**
   * Saves a screenshot as `test-results/screenshots/<name>-<device>-<scheme>.png`, of the full page unless it is very long.
   */
  readonly shoot: (name: string) => Promise<void>;
  /** Expects no axe violations of WCAG 2.2 A and AA on the page, or in `selector`. */
  readonly expectAccessible: (selector?: string) => Promise<void>;
  /** Console messages that the test expects, such as for a 422 response. */
  readonly expectErrors: (...patterns: readonly RegExp[]) => void;
  /** Unexpected console errors, exceptions, and requests to other origins. */
  readonly faults: () => readonly string[];
  readonly close: () => Promise<void>;
};

/**
 * Clicks a button and waits until an element with the label `label` has appeared. An observer in the page catches labels that show
 * only briefly, such as "Copied".
 */
export async function clickAndExpectLabel(button: Locator, label: string): Promise<void> {
  const page = button.page();
  await page.evaluate(`void (window.labelSeen = new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error("the label did not appear")), ${patienceMs});
    new MutationObserver(() => {
      if (document.querySelector('[aria-label="' + CSS.escape(${JSON.stringify(label)}) + '"]') !== null) resolve();
    }).observe(document.body, { subtree: true, childList: true, attributeFilter: ["aria-label"] });
  }))`);
  await button.click();
  await page.evaluate("window.labelSeen");
}

export const resultsFolder = join(import.meta.dirname, "../../../test-results");
/** Enough for any page, and any block it waits for, on a busy machine. */
export const patienceMs = 360_000;
const sizes = {
  phone: { width: 390, height: 844 },
  tablet: { width: 820, height: 1180 },
  desktop: { width: 1280, height: 800 },
} as const;
const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** Opens an empty page. Requests to origins other than `origin` are faults. */
export async function openVisit(
  browser: Browser,
  origin: string,
  appearance: Appearance,
): Promise<Visit> {
  const { device = "desktop", scheme = "light", locale = "en-US" } = appearance;
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
    appearance: { device, scheme, locale },
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
      faults.push(`foreign request: ${url}`);
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

/** Injects axe through the debugging protocol, which the page's content security policy does not restrict. */
async function violations(page: Page, selector: string | null): Promise<readonly string[]> {
  const isLoaded = await page.evaluate("typeof window.axe === 'object'");
  if (isLoaded !== true) await page.evaluate(axe.source);
  const options = { runOnly: { type: "tag", values: rules }, resultTypes: ["violations"] };
  const target = selector === null ? "document" : JSON.stringify(selector);
  const found = await page.evaluate<readonly AxeViolation[]>(
    `axe.run(${target}, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id} (${help}): ${node.target.join(" ")}: ${node.failureSummary}`),
  );
}
