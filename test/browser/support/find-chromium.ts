import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** For a headless browser that connects only to the requested hosts. */
export const chromiumFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
] as const;

/** The Chromium of this machine, or why there is none; `SLUICE_CHROMIUM` selects another. */
export function findChromium(
  environment: Readonly<Record<string, string | undefined>>,
): { readonly program: string } | { readonly reason: string } {
  const named = environment["SLUICE_CHROMIUM"];
  if (named !== undefined && named !== "")
    return isProgram(named)
      ? { program: named }
      : { reason: `SLUICE_CHROMIUM is ${named}, which is not a program` };
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  const folders = (environment["PATH"] ?? "").split(delimiter);
  const program = folders
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find(isProgram);
  if (program !== undefined) return { program };
  return {
    reason:
      "no Chromium is on the PATH: install it (on Debian and its derivatives `npm test` does it as root) or set SLUICE_CHROMIUM",
  };
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
