import { spawnSync } from "node:child_process";

/** The PHP of this machine, or why there is none; `SLUICE_PHP` selects another. */
export function findPhp(
  environment: Readonly<Record<string, string | undefined>>,
): { readonly program: string } | { readonly reason: string } {
  const named = environment["SLUICE_PHP"];
  const program = named === undefined || named === "" ? "php" : named;
  if (spawnSync(program, ["-v"]).status === 0) return { program };
  return {
    reason:
      program === "php"
        ? "no PHP is on the PATH: install php-cli (on Debian and its derivatives `npm test` does it as root) or set SLUICE_PHP"
        : `SLUICE_PHP is ${program}, which does not run`,
  };
}
