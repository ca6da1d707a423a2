import { addressingChecks } from "./addressing-checks.ts";
import type { ConformanceCheck } from "./conformance-check.ts";
import { headerChecks } from "./header-checks.ts";
import { fateChecks } from "./status-checks.ts";
import { transferChecks } from "./transfer-checks.ts";
import { writerChecks } from "./writer-checks.ts";

/*
 * What every chain adapter promises, as named checks against a real or a simulated node. A check knows nothing of a test
 * runner; `test/support/describe-conformance.ts` turns the list into tests.
 */

/** The whole suite, in an order that a node which only grows can run through once. */
export const conformanceChecks: readonly ConformanceCheck[] = [
  ...addressingChecks,
  ...headerChecks,
  ...transferChecks,
  ...fateChecks,
  ...writerChecks,
];
