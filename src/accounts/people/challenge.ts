import { addSeconds } from "../../platform/kernel/clock.ts";
import { generateRefreshToken, refreshDigest } from "../tokens/refresh-token.ts";
import { type Challenge, storeChallenge } from "./challenge.store.ts";
import type { PeopleContext } from "./context.ts";

/** How long somebody has to answer. */
export const challengeSeconds = 5 * 60;

/** Keeps a challenge and answers its id, 256 random bits of which the database knows the SHA-256. */
export async function openChallenge(
  context: Pick<PeopleContext, "db" | "random" | "clock">,
  challenge: Challenge,
): Promise<string> {
  const { token, digest } = generateRefreshToken(context.random);
  const expiresAt = addSeconds(context.clock.now(), challengeSeconds);
  await storeChallenge(context.db, digest, challenge, expiresAt);
  return token;
}

/** What a challenge is kept under. */
export const challengeDigest = refreshDigest;
