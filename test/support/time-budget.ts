/** What CI can begin within its 90 minutes, with the setup before and the longest file after. */
const budgetMinutes = 65;

/**
 * Why a run in CI begins no more files of the last group, the browser's; null while it may. CI discards a run of more than 90 minutes with
 * everything that it found, and shares its host: a run that takes 40 minutes has taken more than 90. `SLUICE_TESTS_STARTED_AT` (milliseconds
 * since 1970) is set by `scripts/test.js`.
 */
export function outOfTime(
  environment: Readonly<Record<string, string | undefined>>,
  nowMs: number,
): string | null {
  const startedAt = Number(environment["SLUICE_TESTS_STARTED_AT"] ?? nowMs);
  const minutes = Math.floor((nowMs - startedAt) / 60_000);
  if (environment["CI"] !== "true" || minutes < budgetMinutes) return null;
  return `the run has taken ${minutes} minutes, and CI ends it after 90: run \`npm test -- --project browser\``;
}
