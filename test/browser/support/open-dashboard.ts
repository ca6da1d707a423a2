import type { Locator, Page } from "playwright-core";
import type { Login } from "../../scenarios/support/deployment.ts";
import type { BrowserSite } from "./browser-suite.ts";
import type { Appearance, Visit } from "./visit.ts";

/** Signs in with the form, as the Owner or the member of the credential `as`, and waits for the page at `path` (`/deposits`). */
export async function openDashboard(
  site: BrowserSite,
  path: string,
  { as, ...look }: Appearance & { readonly as?: Login } = {},
): Promise<Visit> {
  const { login, password } =
    as === undefined ? site.deployment().owner.dashboard : await site.testSite().personOf(as);
  const visit = await site.open(`/ui${path}`, look);
  const { page } = visit;
  await page.getByRole("textbox", { name: "Login" }).fill(login);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await site.untilSignInAllowed();
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("navigation", { name: "Main" }).waitFor({ state: "attached" });
  await page.getByRole("heading", { level: 1 }).waitFor();
  return visit;
}

/** Waits until the page knows its user: before that it shows no actions to any user, so their absence proves nothing. */
export async function whoLooksIsKnown(page: Page): Promise<void> {
  await page.locator('nav[aria-busy="false"]').waitFor({ state: "attached" });
}

/**
 * Holds the page's requests to these addresses until `letThrough`, so that the page shows its waiting state. `method` null holds
 * every one.
 */
export async function holdRequests(
  page: Page,
  isHeld: (url: URL) => boolean,
  method: string | null = null,
): Promise<{ readonly count: () => number; readonly letThrough: () => void }> {
  let count = 0;
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  await page.route(isHeld, async (route) => {
    if (method === null || route.request().method() === method) {
      count += 1;
      await opened;
    }
    // The page may have aborted the request in the meantime.
    await route.continue().catch(() => undefined);
  });
  return {
    /** The number of requests, held and later ones. */
    count: () => count,
    letThrough: () => {
      open();
    },
  };
}

/** Whether the element has the keyboard's focus. */
export function isFocused(element: Locator): Promise<boolean> {
  return element.evaluate((node: { readonly matches: (selector: string) => boolean }) =>
    node.matches(":focus"),
  );
}

/** Presses a button twice before the page can be drawn with its pressed state, like a quick user on a busy machine. */
export async function pressTwice(button: Locator): Promise<void> {
  await button.evaluate((element: { readonly click: () => void }) => {
    element.click();
    element.click();
  });
}
