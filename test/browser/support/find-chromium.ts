import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** For a browser without a screen that speaks to nobody but who it is told to. */
export const chromiumFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
] as const;

/** The Chromium of this machine, or why there is none; `SLUICE_CHROMIUM` names another. */
export function findChromium(
  environment: Readonly<Record<string, string | undefined>>,
): { readonly program: string } | { readonly reason: string } {
  const named = environment["SLUICE_CHROMIUM"];
  if (named !== undefined && named !== "")
    return isProgram(named)
      ? { program: named }
      : { reason: `SLUICE_CHROMIUM is ${named}, which is no program` };
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  const folders = (environment["PATH"] ?? "").split(delimiter);
  const program = folders
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find(isProgram);
  if (program !== undefined) return { program };
  return {
    reason:
      "no Chromium is on the PATH: install it (as root on Debian and its kin `npm test` does) or name one in SLUICE_CHROMIUM",
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
