/**
 * How many times as long as usual everything may take before a test gives up. CI shares its host: one run of it measured a third of
 * the usual speed throughout, and a limit that only ends a hanging test must not fail a slow one.
 */
export const slowest = 3;
