/**
 * Which nonce of an account is to be used next, and which ones lie unused below others that are in use and hold those up.
 * `chainNext` is the first nonce that no block has used; `claimed` are those that live spends of ours claim. The smallest free
 * one comes first, so that a gap is filled by the next payment; without one, by a transaction that does nothing.
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

/** The `count` nonces that the account's next transactions take, in their order: gaps first, as `allocateNonce`. */
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

/** The account and nonce that a claim names (`0x...#7`); null for a claim of another kind, an outpoint. */
export function parseNonceClaim(
  claim: string,
): { readonly sender: string; readonly nonce: number } | null {
  const match = pattern.exec(claim);
  if (match === null) return null;
  const [, sender = "", nonce = ""] = match;
  return { sender, nonce: Number(nonce) };
}
