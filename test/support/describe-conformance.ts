import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { conformanceChecks } from "../../src/chains/conformance/conformance.ts";
import type { Ability, ChainDriver } from "../../src/chains/conformance/conformance-check.ts";

export type ConformanceSubject = {
  /** Starts (or creates) the node and its driver. */
  readonly start: () => Promise<ChainDriver>;
  readonly stop?: () => Promise<void>;
  /** Why the chain or this node lacks an ability; this statement replaces the checks that need it. */
  readonly absent?: Partial<Readonly<Record<Ability, string>>>;
};

/** Registers the conformance suite for one adapter. */
export function describeConformance(name: string, subject: ConformanceSubject): void {
  describe(`${name} conforms to the chain port`, () => {
    let driver: ChainDriver;
    beforeAll(async () => {
      driver = await subject.start();
    });
    afterAll(async () => {
      await subject.stop?.();
    });
    for (const { name: checkName, needs, run } of conformanceChecks) {
      const reason = needs === null ? undefined : subject.absent?.[needs];
      if (needs !== null && reason !== undefined) {
        test(`has no ${needs} (${checkName}): ${reason}`, () => {
          expect(driver[needs]).toBeNull();
        });
      } else {
        test(checkName, () => run(driver));
      }
    }
  });
}
