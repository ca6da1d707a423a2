import { t } from "../../language/t.ts";

/** A browser as the service names it, such as `Firefox 140 on Linux`, in the language of the page. */
export function browserText(userAgent: string): string {
  if (userAgent === "") return t("Unknown device");
  const [, browser, system] = /^(.+ \d+) on (\w+)$/.exec(userAgent) ?? [];
  if (browser === undefined || system === undefined) return userAgent;
  return t("{browser} on {system}", { browser, system });
}
