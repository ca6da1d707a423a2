import { enableCompileCache } from "node:module";
import { join } from "node:path";

const folder = join(import.meta.dirname, "../../../node_modules/.cache/sluice-code");

/**
 * Caches what Node makes of the sources (types stripped, code compiled) for the next start: the api then takes 0.25 s of
 * processor time to load instead of 0.6, and 30 MB less memory, because the type stripper is not loaded. It applies to later
 * imports, and to child processes from their first file on, which saves each another 0.15 s. Entries match one text of a source
 * and one version of Node. Without write access to the folder, starts stay uncached.
 */
export function cacheCompiledCode(): void {
  enableCompileCache(folder);
  process.env["NODE_COMPILE_CACHE"] ??= folder;
}
