import { createHash } from "node:crypto";
import { reject } from "../../platform/kernel/rejection.ts";
import type { PeopleContext } from "./context.ts";
import { countGuess } from "./guess.store.ts";
import { guessWindowSeconds } from "./limit-guesses.ts";

/** Emails with a link for one subject in a quarter of an hour: enough for a typing error, too few to flood a mailbox. */
const emailsMax = 5;

/** Counts an email with a link; rejects `throttled` for the sixth of a subject within 15 minutes. */
export async function limitEmails(
  context: Pick<PeopleContext, "db" | "clock">,
  subject: string,
): Promise<void> {
  if (await isOverEmailLimit(context, subject))
    reject("throttled", "Too many emails were requested. Try again in 15 minutes.");
}

/** Counts an email with a link. True if it is one too many. */
export async function isOverEmailLimit(
  { db, clock }: Pick<PeopleContext, "db" | "clock">,
  subject: string,
): Promise<boolean> {
  const bucket = `email/${createHash("sha256").update(subject).digest("base64url")}`;
  return (await countGuess(db, bucket, clock.now(), guessWindowSeconds)) > emailsMax;
}
