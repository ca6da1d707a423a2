/** The height of the tip at which what is in the block of `height` has `count` confirmations; none are asked for as one is. */
export function confirmationHeight(height: number, count: number): number {
  return height + Math.max(count, 1) - 1;
}
