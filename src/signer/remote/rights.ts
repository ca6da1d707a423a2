import type { SignerCall } from "../protocol.ts";

/**
 * What a client of the signer may do. `addresses`: issue addresses and create keys of deposits. `sign`: have spends signed, read
 * what was signed, and report how far the database is, because who recovers a database must know what was signed. `replicate`:
 * the other signer of a pair. Every client may read public keys, the mark and the state of the pair.
 */
export type Right = (typeof rights)[number];

export const rights = ["addresses", "sign", "replicate"] as const;

/** The right that a call needs; null if every client may make it. */
export function rightOf({ method }: SignerCall): Right | null {
  switch (method) {
    case "accountKeys":
    case "readMark":
    case "rights":
    case "pairState":
      return null;
    case "highestIssued":
    case "recordIssued":
    case "createKeys":
      return "addresses";
    case "sign":
    case "claimCoins":
    case "signedSpends":
    case "payoutsSigned":
    case "mark":
      return "sign";
    case "replica":
      return "replicate";
  }
}

export function isRight(value: unknown): value is Right {
  return rights.some((right) => right === value);
}
