/**
 * The next nonce of an account, and the gaps: unused nonces below used ones, which hold those up. `chainNext` is the first
 * nonce that no block has used; `claimed` are the nonces that our live spends claim. The lowest free nonce comes first, so that
 * the next payment fills a gap; without a payment, a transaction that does nothing fills it.
 */
export function allocateNonce(
  chainNext: number,
  claimed: readonly number[],
): { readonly next: number; readonly gaps: readonly number[] } {
  const taken = new Set(claimed.filter((nonce) => nonce >= chainNext));
  const highest = Math.max(chainNext - 1, ...taken);
  const gaps: number[] = [];
  for (let nonce = chainNext; nonce < highest; nonce += 1) if (!taken.has(nonce)) gaps.push(nonce);
  return { next: gaps[0] ?? highest + 1, gaps };
}

/** The nonces of the account's next `count` transactions, in order: gaps first, as in `allocateNonce`. */
export function allocateNonces(
  chainNext: number,
  claimed: readonly number[],
  count: number,
): readonly number[] {
  const { gaps } = allocateNonce(chainNext, claimed);
  const beyond = Math.max(chainNext, ...claimed.map((nonce) => nonce + 1));
  return [
    ...gaps,
    ...Array.from({ length: Math.max(0, count - gaps.length) }, (_, at) => beyond + at),
  ].slice(0, count);
}

const pattern = /^(.+)#(\d+)$/;

/** The account and nonce of a claim such as `0x...#7`; null for an outpoint. */
export function parseNonceClaim(
  claim: string,
): { readonly sender: string; readonly nonce: number } | null {
  const match = pattern.exec(claim);
  if (match === null) return null;
  const [, sender = "", nonce = ""] = match;
  return { sender, nonce: Number(nonce) };
}
