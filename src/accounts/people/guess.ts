import { createHash } from "node:crypto";
import { reject } from "../../kernel/rejection.ts";
import type { PeopleContext } from "./context.ts";
import { countGuess, forgetGuess } from "./guess.store.ts";

export const guessWindowSeconds = 15 * 60;

/** Wrong guesses at one login's password from one network, and at one member's codes, in a window. */
const limits = { login: 20, code: 10 } as const;

/**
 * Runs `check` unless too many guesses at the same thing were wrong lately (rejects `throttled`, whether or not this one is right).
 * A right one is not counted. A login is counted whether it exists or not.
 */
export async function guarded<Result>(
  context: Pick<PeopleContext, "db" | "clock">,
  what: keyof typeof limits,
  subject: string,
  check: () => Promise<Result>,
): Promise<Result> {
  const bucket = `${what}/${createHash("sha256").update(subject).digest("base64url")}`;
  const now = context.clock.now();
  if ((await countGuess(context.db, bucket, now, guessWindowSeconds)) > limits[what])
    reject("throttled", "Too many wrong guesses. Try again in a quarter of an hour.");
  const result = await check();
  await forgetGuess(context.db, bucket);
  return result;
}
