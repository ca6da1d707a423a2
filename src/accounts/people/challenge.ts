import type { Executor } from "../../platform/db/database.ts";
import { addSeconds } from "../../platform/kernel/clock.ts";
import { generateOpaqueToken } from "../tokens/opaque-token.ts";
import { type Challenge, storeChallenge } from "./challenge.store.ts";
import type { PeopleContext } from "./context.ts";

/** How long a challenge can be answered. */
export const challengeSeconds = 5 * 60;

/** Stores a challenge and returns its id: 256 random bits, of which the database holds the SHA-256. */
export async function createChallenge(
  context: Pick<PeopleContext, "random" | "clock"> & { readonly db: Executor },
  challenge: Challenge,
): Promise<string> {
  const { token, digest } = generateOpaqueToken(context.random);
  const expiresAt = addSeconds(context.clock.now(), challengeSeconds);
  await storeChallenge(context.db, digest, challenge, expiresAt);
  return token;
}
