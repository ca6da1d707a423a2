import { readFile } from "node:fs/promises";
import { createHttpScreening } from "../../deposits/screening/http-provider.ts";
import type { ScreeningProvider } from "../../deposits/screening/provider.ts";
import type { FetchText } from "../../platform/kernel/fetch-text.ts";
import type { Config } from "../config/config.ts";

/** The configured screening provider; null when payments are not screened. */
export async function createScreening(
  config: Pick<Config, "screening">,
  fetchText: FetchText,
): Promise<ScreeningProvider | null> {
  if (config.screening === undefined) return null;
  const { url, token_file } = config.screening;
  const token = token_file === undefined ? null : (await readFile(token_file, "utf8")).trim();
  return createHttpScreening(fetchText, { url, token });
}
