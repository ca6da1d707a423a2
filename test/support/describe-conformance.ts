import { afterAll, beforeAll, describe, test } from "vitest";
import { conformanceChecks } from "../../src/chains/conformance/conformance.ts";
import type { ChainDriver, Declaration } from "../../src/chains/conformance/conformance-check.ts";

export type ConformanceSubject = {
  /** What the adapter's family says about the chain; decides which checks concern it. */
  readonly declares: Declaration;
  /** Starts (or creates) the node and its driver. */
  readonly start: () => Promise<Omit<ChainDriver, "declares">>;
  readonly stop?: () => Promise<void>;
};

/** Registers the conformance suite for one adapter. */
export function describeConformance(name: string, subject: ConformanceSubject): void {
  const { declares } = subject;
  describe(`${name} conforms to the chain port`, () => {
    let driver: ChainDriver;
    beforeAll(async () => {
      driver = { ...(await subject.start()), declares };
    });
    afterAll(async () => {
      await subject.stop?.();
    });
    for (const { name: checkName, concerns, run } of conformanceChecks) {
      if (concerns(declares)) test(checkName, () => run(driver));
    }
  });
}
