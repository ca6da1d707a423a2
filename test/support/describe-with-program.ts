import { describe, expect, test } from "vitest";
import { findFetchedProgram } from "./find-fetched-program.ts";

/** Registers tests that need a program; without it they count as skipped, under a name with the reason and the remedy. */
export function describeWithProgram(
  program: string,
  name: string,
  body: (path: string) => void,
): void {
  const path = findFetchedProgram(program);
  if (path !== null) {
    describe(name, () => {
      body(path);
    });
    return;
  }
  const remedy = `run scripts/fetch-nodes.sh "" ${program}`;
  describe.skip(`${name}: NOT RUN, ${program} is missing; ${remedy}`, () => {
    test(`needs ${program}`, () => {
      expect(path).not.toBeNull();
    });
  });
}
