/**
 * The next sequence number of an account, and the gaps: unused numbers below used ones, which hold those up. `chainNext` is the
 * first number that no block has used; `claimed` are the numbers that our live spends claim. The lowest free number comes first,
 * so that the next payment fills a gap; without a payment, a transaction that does nothing fills it.
 */
export function allocateSequence(
  chainNext: bigint,
  claimed: readonly bigint[],
): { readonly next: bigint; readonly gaps: readonly bigint[] } {
  const taken = new Set(claimed.filter((sequence) => sequence >= chainNext));
  const highest = [...taken].reduce(
    (most, number) => (number > most ? number : most),
    chainNext - 1n,
  );
  const gaps: bigint[] = [];
  for (let sequence = chainNext; sequence < highest; sequence += 1n)
    if (!taken.has(sequence)) gaps.push(sequence);
  return { next: gaps[0] ?? highest + 1n, gaps };
}

/** The sequence numbers of the account's next `count` transactions, in order: gaps first, as in `allocateSequence`. */
export function allocateSequences(
  chainNext: bigint,
  claimed: readonly bigint[],
  count: number,
): readonly bigint[] {
  const { gaps } = allocateSequence(chainNext, claimed);
  const beyond = claimed.reduce((most, number) => (number >= most ? number + 1n : most), chainNext);
  const further = Math.max(0, count - gaps.length);
  return [...gaps, ...Array.from({ length: further }, (_, at) => beyond + BigInt(at))].slice(
    0,
    count,
  );
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
