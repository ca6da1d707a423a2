import { createHash } from "node:crypto";
import { reject } from "../../platform/kernel/rejection.ts";
import type { PeopleContext } from "./context.ts";
import { countGuess, uncountGuess } from "./guess.store.ts";

export const guessWindowSeconds = 15 * 60;

/**
 * Wrong guesses allowed per window: of a login's password from one network, of the same from one browser in which the member signed in
 * before, and of a member's codes.
 */
const limits = { login: 20, device: 20, code: 10 } as const;

/**
 * Runs `check` unless there were too many wrong guesses of the same secret in the window; then it rejects `throttled`, even for a correct
 * guess. Correct guesses do not count. Guesses for unknown logins count as well.
 */
export async function limitGuesses<Result>(
  context: Pick<PeopleContext, "db" | "clock">,
  what: keyof typeof limits,
  subject: string,
  check: () => Promise<Result>,
): Promise<Result> {
  const bucket = bucketOf(what, subject);
  const now = context.clock.now();
  if ((await countGuess(context.db, bucket, now, guessWindowSeconds)) > limits[what])
    reject("throttled", "Too many failed attempts. Try again in 15 minutes.");
  const result = await check();
  await uncountGuess(context.db, bucket);
  return result;
}

/**
 * Takes as long for an unknown login as writing the audit entry of a failed sign-in takes for a known one: one statement that takes a row
 * lock, two more, and the commit. The count is not limited.
 */
export async function countUnknownLogin(
  { db, clock }: Pick<PeopleContext, "db" | "clock">,
  subject: string,
): Promise<void> {
  const bucket = bucketOf("unknown", subject);
  const now = clock.now();
  await db.transaction(async (tx) => {
    const count = () => countGuess(tx, bucket, now, guessWindowSeconds);
    await count();
    await Promise.all([count(), count()]);
  });
}

function bucketOf(what: string, subject: string): string {
  return `${what}/${createHash("sha256").update(subject).digest("base64url")}`;
}
