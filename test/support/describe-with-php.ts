import { spawnSync } from "node:child_process";
import { describe, it } from "vitest";

/** Runs tests with PHP. Without it the suite is skipped and its title says why. */
export function describeWithPhp(name: string, tests: (program: string) => void): void {
  const php = findPhp(process.env);
  if ("reason" in php) {
    process.stderr.write(`\n${name}: NOT RUN, ${php.reason}\n`);
    it.skip(`${name}: NOT RUN, ${php.reason}`, () => undefined);
    return;
  }
  describe(name, () => {
    tests(php.program);
  });
}

/** The PHP of this machine, or why there is none; `SLUICE_PHP` selects another. */
function findPhp(
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
