import type { Database } from "../db/database.ts";
import { addSeconds, type Clock, type Instant } from "../kernel/clock.ts";
import { errorMessage } from "../kernel/error-message.ts";
import type { Logger } from "../kernel/logger.ts";
import type { Random } from "../kernel/random.ts";
import type { Seal } from "../kernel/seal.ts";
import { Unavailable } from "../kernel/unavailable.ts";
import { encryptPush } from "./encrypt-push.ts";
import { authorizePush, newPushKey, type PushKey, providePushKey } from "./push-key.ts";
import {
  type ClaimedPush,
  claimPushes,
  completePush,
  deletePushesOverBefore,
  type PushOutcome,
  removeGoneSubscription,
} from "./push-message.store.ts";
import { pushAuthContext } from "./sealing-contexts.ts";

/** What a browser shows. */
type PushText = {
  readonly title: string;
  readonly body: string;
  /** The page of the dashboard that a click opens: `deposits/17`. */
  readonly path: string;
};

/** How a message is shown, and whether a device that saves power is woken for it (RFC 8030, 5.3). */
export type RenderedPush = PushText & { readonly urgency: "normal" | "high" };

/** The answer to a request; `statusCode` is null without one. Implementations refuse private addresses and never reject. */
export type PostPush = (request: {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}) => Promise<{
  readonly statusCode: number | null;
  readonly retryAfter: string | null;
  readonly error: string | null;
}>;

export type PushContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly seal: Seal;
  readonly post: PostPush;
  readonly render: (push: ClaimedPush) => RenderedPush;
  /** Whom a push service's operators may write to: a mailto: or https: URL; null: nobody. */
  readonly contact: string | null;
};

/** Longer than the timeouts of one attempt and the clock skew allowed. */
const claimSeconds = 60;
const batchMax = 32;
/** Delays after the first, second, ... failed attempt: about 41 hours in all. Then the message is given up. */
const retrySeconds = [10, 60, 300, 1_800, 7_200, 18_000, 36_000, 86_400];
const jitter = 0.2;
/** How long a push service keeps a message for a browser that is off. */
const keptByServiceSeconds = 86_400;
const keptSeconds = 7 * 86_400;
/** All messages are padded to the same size, so that it tells nothing about their content. */
const textBytes = 3_000;

/**
 * Sends the due messages of all accounts to the members' browsers, until none is due or `signal` aborts. Each is claimed first, so any
 * number of processes may run this. One that dies between the push service's answer and the record sends the message again, under the
 * same tag, so that a browser shows it once.
 */
export async function sendPushes(context: PushContext, signal: AbortSignal): Promise<void> {
  const { db, clock } = context;
  while (!signal.aborted) {
    const now = clock.now();
    const pushes = await claimPushes(db, batchMax, now, addSeconds(now, claimSeconds));
    if (pushes.length > 0) {
      const key = await providePushKey(context);
      await Promise.all(
        pushes.map((push) =>
          sendOne(context, key, push).catch((error: unknown) => {
            // Its claim expires, and it is tried again.
            context.logger.error("a push message could not be sent", {
              push: push.id,
              error: errorMessage(error),
            });
          }),
        ),
      );
    }
    if (pushes.length < batchMax) break;
  }
  await deletePushesOverBefore(db, addSeconds(clock.now(), -keptSeconds));
}

async function sendOne(context: PushContext, key: PushKey, push: ClaimedPush): Promise<void> {
  const { db, clock, logger } = context;
  const answer = await post(context, key, push);
  if (answer.statusCode === 404 || answer.statusCode === 410) {
    await removeGoneSubscription(db, push);
    return;
  }
  const outcome = decideOutcome(push.attempts, answer, clock.now(), context.random.fraction());
  if (outcome.status === "failed")
    logger.warn("a push message was given up", { push: push.id, error: outcome.error });
  await completePush(db, push, outcome, clock.now());
}

type Answer = Awaited<ReturnType<PostPush>>;

/** A message that cannot be rendered, or encrypted to its browser, has got no answer: a data key may be missing only for now. */
async function post(context: PushContext, key: PushKey, push: ClaimedPush): Promise<Answer> {
  let request: Parameters<PostPush>[0];
  try {
    request = await composeRequest(context, key, push);
  } catch (error) {
    if (error instanceof Unavailable) throw error;
    return { statusCode: null, retryAfter: null, error: errorMessage(error) };
  }
  return context.post(request);
}

async function composeRequest(
  { clock, random, seal, render, contact }: PushContext,
  key: PushKey,
  push: ClaimedPush,
): Promise<Parameters<PostPush>[0]> {
  const { endpoint, publicKey, authSealed, language, createdAt, id } = push;
  const { urgency, ...shown } = render(push);
  const text = Buffer.from(JSON.stringify({ ...shown, language, tag: `${createdAt}.${id}` }));
  const body = encryptPush(
    text,
    { publicKey, auth: seal.open(authSealed, pushAuthContext(endpoint)) },
    {
      secret: newPushKey(random).privateKey,
      salt: random.bytes(16),
      padding: Math.max(0, textBytes - text.length),
    },
  );
  return {
    url: endpoint,
    headers: {
      authorization: await authorizePush(new URL(endpoint), key, contact, clock.now()),
      "content-type": "application/octet-stream",
      "content-encoding": "aes128gcm",
      ttl: String(keptByServiceSeconds),
      urgency,
      "user-agent": "Sluice-Push/1",
    },
    body,
  };
}

/**
 * What follows from an answer: 2xx is accepted; a message that is malformed or too large, or an address that may not be reached, stays so;
 * everything else is tried again, not before the service asks for it. Pure; `chance` is in [0, 1).
 */
function decideOutcome(
  attempts: number,
  { statusCode, retryAfter, error }: Answer,
  now: Instant,
  chance: number,
): PushOutcome {
  if (statusCode !== null && statusCode >= 200 && statusCode < 300)
    return { status: "sent", dueAt: null, error: null };
  const reason = statusCode === null ? (error ?? "no answer") : `status ${statusCode}`;
  const isFinal = statusCode === 400 || statusCode === 413 || error === "address_refused";
  const delay = isFinal ? undefined : retrySeconds[attempts];
  if (delay === undefined) return { status: "failed", dueAt: null, error: reason };
  const jittered = delay * (1 + jitter * (2 * chance - 1));
  const asked = /^\d{1,9}$/.test(retryAfter ?? "") ? Number(retryAfter) : 0;
  const waits = Math.max(jittered, Math.min(asked, 86_400));
  return { status: "pending", dueAt: addSeconds(now, waits), error: reason };
}
