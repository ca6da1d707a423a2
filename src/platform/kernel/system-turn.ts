/**
 * Runs `work` at the end of this event-loop turn, when everything that has already arrived was processed. Lets callers batch
 * without a timer.
 */
export function atEndOfTurn(work: () => void): void {
  setImmediate(work);
}
