import { createHash } from "node:crypto";
import { reject } from "../../platform/kernel/rejection.ts";
import type { PeopleContext } from "./context.ts";
import { countGuess, forgetGuess } from "./guess.store.ts";

export const guessWindowSeconds = 15 * 60;

/**
 * Wrong guesses in a window: at one login's password from one network, at it from one browser that its member has signed in from before,
 * and at one member's codes.
 */
const limits = { login: 20, device: 20, code: 10 } as const;

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
  const bucket = bucketOf(what, subject);
  const now = context.clock.now();
  if ((await countGuess(context.db, bucket, now, guessWindowSeconds)) > limits[what])
    reject("throttled", "Too many wrong guesses. Try again in a quarter of an hour.");
  const result = await check();
  await forgetGuess(context.db, bucket);
  return result;
}

/**
 * Writes as much as the audit log of a member does for a wrong password: one statement that others of the same subject wait for, then two
 * more, and the commit. The count has no limit.
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
