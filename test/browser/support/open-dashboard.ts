import type { Login } from "../../scenarios/stage/deployment.ts";
import type { BrowserSite } from "./browser-suite.ts";
import type { Look, Visit } from "./visit.ts";

/** Signs in by the form, as the Owner unless somebody else is named, and waits for the page at `path` (`/deposits`). */
export async function openDashboard(
  site: BrowserSite,
  path: string,
  { as = site.deployment().owner, ...look }: Look & { readonly as?: Login } = {},
): Promise<Visit> {
  const visit = await site.open(`/ui${path}`, look);
  const { page } = visit;
  await page.getByRole("textbox", { name: "Login" }).fill(as.login);
  await page.getByRole("textbox", { name: "Password" }).fill(as.password);
  await site.roomToSignIn();
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("navigation", { name: "Main" }).waitFor({ state: "attached" });
  await page.getByRole("heading", { level: 1 }).waitFor();
  return visit;
}
