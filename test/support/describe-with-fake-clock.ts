import { describe, expect, test } from "vitest";
import { findFakeClock } from "../chaos/fake-clock.ts";

/** Registers tests that need libfaketime; without it they count as skipped, under a name with the reason and the remedy. */
export function describeWithFakeClock(name: string, body: (library: string) => void): void {
  const library = findFakeClock();
  if (library !== null) {
    describe(name, () => {
      body(library);
    });
    return;
  }
  describe.skip(`${name}: NOT RUN, libfaketime is missing; install Debian's package of that name`, () => {
    test("needs libfaketime", () => {
      expect(library).not.toBeNull();
    });
  });
}
