/** The tip height at which a transaction in the block at `height` has `count` confirmations; a count of 0 is treated as 1. */
export function confirmationHeight(height: number, count: number): number {
  return height + Math.max(count, 1) - 1;
}
