import { addressingChecks } from "./addressing-checks.ts";
import type { ConformanceCheck } from "./conformance-check.ts";
import { declarationChecks } from "./declaration-checks.ts";
import { expiryChecks } from "./expiry-checks.ts";
import { finalityChecks } from "./finality-checks.ts";
import { headerChecks } from "./header-checks.ts";
import { lockChecks } from "./lock-checks.ts";
import { statusChecks } from "./status-checks.ts";
import { transferChecks } from "./transfer-checks.ts";
import { writerChecks } from "./writer-checks.ts";

/*
 * The guarantees of every chain adapter, as named checks against a real or a simulated node. The checks do not depend on a test
 * runner; `test/support/describe-conformance.ts` turns the list into tests.
 */

/** The whole suite, in an order that works on a node whose chain only grows. */
export const conformanceChecks: readonly ConformanceCheck[] = [
  ...declarationChecks,
  ...addressingChecks,
  ...headerChecks,
  ...transferChecks,
  ...finalityChecks,
  ...statusChecks,
  ...writerChecks,
  ...expiryChecks,
  ...lockChecks,
];
