/** Consecutive sequence numbers: the first and the last. */
export type Run = { readonly sequence: bigint; readonly through: bigint };

/**
 * The next sequence number of an account, and the gaps: unused numbers below used ones, which hold those up. `chainNext` is the
 * first number that no block has used; `claimed` are the numbers that our live spends claim. The lowest free number comes first,
 * so that the next payment fills a gap; without a payment, a transaction that does nothing fills it.
 */
export function allocateSequence(
  chainNext: bigint,
  claimed: readonly bigint[],
): { readonly next: bigint; readonly gaps: readonly bigint[] } {
  const taken = new Set(claimed);
  const highest = claimed.reduce((most, number) => (number > most ? number : most), chainNext - 1n);
  const gaps: bigint[] = [];
  for (let sequence = chainNext; sequence < highest; sequence += 1n)
    if (!taken.has(sequence)) gaps.push(sequence);
  return { next: gaps[0] ?? highest + 1n, gaps };
}

/**
 * The sequence numbers of the account's next transactions, each of which claims as many in a row as `sizes` says. The lowest free run
 * that is long enough comes first, as in `allocateSequence`.
 */
export function allocateRanges(
  chainNext: bigint,
  claimed: readonly bigint[],
  sizes: readonly number[],
): readonly Run[] {
  const taken = new Set(claimed);
  const isFree = (from: bigint, size: number): boolean =>
    Array.from({ length: size }, (_, at) => from + BigInt(at)).every((one) => !taken.has(one));
  return sizes.map((size) => {
    let sequence = chainNext;
    while (!isFree(sequence, size)) sequence += 1n;
    const through = sequence + BigInt(size) - 1n;
    for (let one = sequence; one <= through; one += 1n) taken.add(one);
    return { sequence, through };
  });
}

/** Consecutive numbers as the first and last of each run. */
export function runsOf(ascending: readonly bigint[]): readonly Run[] {
  const runs: { sequence: bigint; through: bigint }[] = [];
  for (const number of ascending) {
    const last = runs.at(-1);
    if (last !== undefined && last.through + 1n === number) last.through = number;
    else runs.push({ sequence: number, through: number });
  }
  return runs;
}

const pattern = /^(.+)#(\d+)$/;

/** The account and sequence number of a claim such as `0x...#7`; null for an outpoint. */
export function parseSequenceClaim(
  claim: string,
): { readonly sender: string; readonly sequence: bigint } | null {
  const [, sender, sequence] = pattern.exec(claim) ?? [];
  if (sender === undefined || sequence === undefined) return null;
  return { sender, sequence: BigInt(sequence) };
}

/** The sequence number that a transaction with these claims uses; null where transactions have none. */
export function sequenceClaimOf([claim]: readonly string[]): ReturnType<typeof parseSequenceClaim> {
  return claim === undefined ? null : parseSequenceClaim(claim);
}
