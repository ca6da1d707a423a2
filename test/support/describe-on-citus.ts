import { describe, inject, test } from "vitest";

/**
 * Registers tests that need a distributed database; without Citus, or without `more` that they need, they count as skipped, under a
 * name with the reason and the remedy.
 */
export function describeOnCitus(
  name: string,
  more: Readonly<Record<string, string | undefined>>,
  body: () => void,
): void {
  const variables = Object.entries(more).filter(([, value]) => value === undefined);
  const missing = [
    ...(inject("databaseNodes").length > 1 ? [] : ["SLUICE_CITUS_URL"]),
    ...variables.map(([variable]) => variable),
  ];
  if (missing.length === 0) {
    describe(name, body);
    return;
  }
  const remedy = `set ${missing.join(" and ")} (Several servers with Citus in docs/operations.md)`;
  test.skip(`${name}: NOT RUN; ${remedy}`, () => undefined);
}
