import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take a minute rather than a second: whole deployments, which mostly wait, and the long history that would delay
 * them. Of the browser's files, those about money: on a slow machine, CI does not begin the last ones (`time-budget.ts`).
 */
const LONG = [
  "test/scenarios/production.test.ts",
  "test/scenarios/sandbox.test.ts",
  "test/simulation/payouts.test.ts",
  "test/scenarios/",
  "test/chaos/",
  "test/upgrade/",
  "test/simulation/",
  "test/nodes/",
  "test/api/",
  "test/browser/payment-page-stories.test.ts",
  "test/browser/dashboard-payouts.test.ts",
  "test/browser/dashboard-money.test.ts",
  "test/browser/dashboard-unattributed.test.ts",
  "test/browser/payment-page-",
];

/**
 * Starts the long files first: one that started last would run alone. vitest otherwise orders by earlier durations, which a fresh
 * clone lacks.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files);
    return bySize.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

function rankOf({ moduleId, project }: TestSpecification): number {
  const path = relative(project.config.root, moduleId);
  const rank = LONG.findIndex((folder) => path.startsWith(folder));
  return rank === -1 ? LONG.length : rank;
}
