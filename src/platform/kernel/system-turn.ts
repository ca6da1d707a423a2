/**
 * Runs `work` when all that has arrived by now was looked at: at the end of this turn of the event loop, at once when nothing
 * else is waiting. What comes together is so gathered without a timer.
 */
export function atEndOfTurn(work: () => void): void {
  setImmediate(work);
}
