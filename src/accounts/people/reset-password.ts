import type { Database, Executor } from "../../platform/db/database.ts";
import { addSeconds, type Clock } from "../../platform/kernel/clock.ts";
import type { Random } from "../../platform/kernel/random.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import type { Seal } from "../../platform/kernel/seal.ts";
import { queueEmail } from "../../platform/mail/queue-email.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { generateOpaqueToken, tokenDigest } from "../tokens/opaque-token.ts";
import { hashPassword } from "../tokens/password-hash.ts";
import { readContactLanguage, readContactRow } from "./contact.store.ts";
import type { PeopleContext } from "./context.ts";
import {
  peekEmailToken,
  removeEmailLinks,
  storeEmailToken,
  takeEmailToken,
} from "./email-token.store.ts";
import { isOverEmailLimit, limitEmails } from "./limit-emails.ts";
import { passwordFault } from "./password-rules.ts";
import type { Person } from "./person.ts";
import { changePersonLogin, readLoginOfMember } from "./person-login.store.ts";
import { endPersonSessions } from "./person-session.store.ts";
import { findResettable, storeResetRequest, takeResetRequest } from "./reset-request.store.ts";
import { assertSendsEmail, type MailingContext, rejectToken } from "./verify-email.ts";

const resetSeconds = 3_600;

/**
 * Accepts a request to reset a password. Whose it is, a worker finds out later, so the answer and its time are the same for logins,
 * addresses and texts that nobody has. Rejects `throttled` for the sixth request with one text in 15 minutes, `permissionDenied`.
 */
export async function requestPasswordReset(context: MailingContext, typed: string): Promise<void> {
  assertSendsEmail(context);
  const login = typed.trim().toLowerCase();
  await limitEmails(context, `reset ${login}`);
  await storeResetRequest(context.db, login, context.clock.now());
}

type WorkerContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly seal: Seal;
};

/** Sends links to the people whose passwords are to be reset: each request in a transaction, until none waits. */
export async function answerResetRequests(
  context: WorkerContext,
  signal: AbortSignal,
): Promise<void> {
  const answerOne = () =>
    context.db.transaction(async (tx) => {
      const login = await takeResetRequest(tx);
      if (login === null) return false;
      for (const person of await findResettable(tx, login)) await sendLink(context, tx, person);
      return true;
    });
  while (!signal.aborted && (await answerOne()));
}

async function sendLink(
  { db, clock, random, seal }: WorkerContext,
  tx: Executor,
  { accountId, memberId, email }: Person & { readonly email: string },
): Promise<void> {
  // Several texts name one person: the login, and the address in any case.
  if (await isOverEmailLimit({ db, clock }, `reset of ${accountId} ${memberId}`)) return;
  const now = clock.now();
  const { token, digest } = generateOpaqueToken(random);
  await storeEmailToken(
    tx,
    digest,
    { purpose: "password_reset", accountId, memberId, invitationId: null, email },
    now,
    addSeconds(now, resetSeconds),
  );
  const content = { language: await readContactLanguage(tx, { accountId, memberId }) };
  await queueEmail(
    tx,
    seal,
    { accountId, memberId, kind: "password_reset", recipient: email, content, secret: token },
    now,
  );
}

/**
 * Replaces a forgotten password by the token of the link that was sent. Ends all sessions of the person and starts none: signing in still
 * needs the second factors. The person is notified by email. Rejects `invalidValue`.
 */
export async function resetPassword(
  context: PeopleContext,
  { token, password }: { readonly token: string; readonly password: string },
  ip: string,
): Promise<{ readonly login: string }> {
  const { db, clock, random, people, seal } = context;
  const digest = tokenDigest(token);
  const seen = await peekEmailToken(db, digest, "password_reset", clock.now());
  const before =
    seen?.memberId == null ? null : await readLoginOfMember(db, seen.accountId, seen.memberId);
  if (before === null) return rejectToken();
  const fault = passwordFault(password, before.login);
  if (fault !== null) reject("invalidValue", fault, { pointer: "/data/attributes/password" });
  const passwordHash = await hashPassword(password, people.hashing, random);
  const now = clock.now();
  return db.transaction(async (tx) => {
    const taken = await takeEmailToken(tx, digest, "password_reset", now);
    if (taken === null || taken.memberId === null) return rejectToken();
    const person = { accountId: taken.accountId, memberId: taken.memberId };
    const known = await readLoginOfMember(tx, person.accountId, person.memberId);
    if (known === null || !known.isActive) return rejectToken();
    // The link may have been sent while the address was being removed.
    if ((await readContactRow(tx, person))?.email !== taken.email) return rejectToken();
    const { login } = known;
    await removeEmailLinks(tx, person);
    await changePersonLogin(tx, { ...person, login, passwordHash }, now);
    await endPersonSessions(tx, { ...person, number: null, except: null }, now);
    const content = { language: await readContactLanguage(tx, person) };
    await queueEmail(
      tx,
      seal,
      { ...person, kind: "password_changed", recipient: taken.email, content, secret: null },
      now,
    );
    await recordAudit(tx, {
      by: { ...person, ip },
      action: "password.reset",
      object: { type: "member", id: person.memberId },
      summary: {},
      at: now,
    });
    return { login };
  });
}
