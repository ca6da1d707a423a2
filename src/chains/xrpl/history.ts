/**
 * Whether a node has all ledgers of a range, both included, by what it says of its history (`complete_ledgers`):
 * `32570-99000000,99000100-99000200`, or `empty`.
 */
export function keepsLedgers(completeLedgers: string, first: number, last: number): boolean {
  return completeLedgers.split(",").some((part) => {
    const [, from, to = from] = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(part.trim()) ?? [];
    return from !== undefined && Number(from) <= first && Number(to) >= last;
  });
}
