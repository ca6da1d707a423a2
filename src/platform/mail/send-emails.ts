import type { Database } from "../db/database.ts";
import { addSeconds, type Clock } from "../kernel/clock.ts";
import { errorMessage } from "../kernel/error-message.ts";
import type { Logger } from "../kernel/logger.ts";
import type { Random } from "../kernel/random.ts";
import type { Seal } from "../kernel/seal.ts";
import { Unavailable } from "../kernel/unavailable.ts";
import {
  claimEmails,
  completeEmail,
  deleteEmailsOverBefore,
  type EmailOutcome,
} from "./email.store.ts";
import { type ClaimedEmail, emailSecretContext, type RenderedEmail } from "./email.ts";
import type { MailTransport } from "./smtp-transport.ts";

export type SendContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly seal: Seal;
  readonly transport: MailTransport;
  /** The text of an email; `secret` is the token in its link. */
  readonly render: (email: ClaimedEmail, secret: string | null) => Promise<RenderedEmail>;
  /** The part of `Message-ID` behind the @. */
  readonly messageDomain: string;
};

/** Longer than the timeouts of one submission and the clock skew allowed. */
const claimSeconds = 120;
/** Over four connections they are done within two thirds of the claim, even if every one runs into its timeouts. */
const batchMax = 8;
/** Delays after the first, second, ... failed attempt: about 41 hours in all. Then the email is given up. */
const retrySeconds = [10, 60, 300, 1_800, 7_200, 18_000, 36_000, 86_400];
const jitter = 0.2;
const keptSeconds = 30 * 86_400;

/**
 * Sends the due emails of all accounts, until none is due or `signal` aborts. Each is claimed first, so any number of processes may
 * run this. One that dies between the server's acceptance and the record sends the email again, under the same Message-ID.
 */
export async function sendEmails(context: SendContext, signal: AbortSignal): Promise<void> {
  const { db, clock } = context;
  while (!signal.aborted) {
    const now = clock.now();
    const emails = await claimEmails(db, batchMax, now, addSeconds(now, claimSeconds));
    await Promise.all(
      emails.map((email) =>
        sendOne(context, email).catch((error: unknown) => {
          // Its claim expires, and it is tried again.
          context.logger.error("an email could not be sent", {
            email: email.id,
            error: errorMessage(error),
          });
        }),
      ),
    );
    if (emails.length < batchMax) break;
  }
  await deleteEmailsOverBefore(db, addSeconds(clock.now(), -keptSeconds));
}

async function sendOne(context: SendContext, email: ClaimedEmail): Promise<void> {
  const { db, clock, logger } = context;
  const outcome = decideOutcome(email, await submit(context, email), context);
  if (outcome.status === "failed")
    logger.warn("an email was given up", { email: email.id, error: outcome.error });
  await completeEmail(db, email, outcome, clock.now());
}

type Submission = Awaited<ReturnType<MailTransport["send"]>>;

/** An email that cannot be rendered, or whose token does not open, has failed: a data key may be missing only for now. */
async function submit(context: SendContext, email: ClaimedEmail): Promise<Submission> {
  let rendered: RenderedEmail;
  try {
    rendered = await context.render(email, openSecret(context.seal, email));
  } catch (error) {
    if (error instanceof Unavailable) throw error;
    return { kind: "failed", error: errorMessage(error) };
  }
  return context.transport.send({
    ...rendered,
    to: email.recipient,
    messageId: messageIdOf(email, context.messageDomain),
    date: email.createdAt,
  });
}

function openSecret(seal: Seal, { id, secretSealed }: ClaimedEmail): string | null {
  return secretSealed === null
    ? null
    : Buffer.from(seal.open(secretSealed, emailSecretContext(id))).toString();
}

function decideOutcome(
  { attempts }: ClaimedEmail,
  submission: Submission,
  { clock, random }: SendContext,
): EmailOutcome {
  if (submission.kind === "accepted") return { status: "sent", dueAt: null, error: null };
  const { kind, error } = submission;
  const delay = kind === "refused" ? undefined : retrySeconds[attempts];
  if (delay === undefined) return { status: "failed", dueAt: null, error };
  const jittered = delay * (1 + jitter * (2 * random.fraction() - 1));
  return { status: "pending", dueAt: addSeconds(clock.now(), jittered), error };
}

/** The same at every attempt; a restored database that reuses ids does not reuse the time. */
function messageIdOf(
  { id, createdAt }: Pick<ClaimedEmail, "id" | "createdAt">,
  domain: string,
): string {
  return `<${createdAt}.${id}@${domain}>`;
}
