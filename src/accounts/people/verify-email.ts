import type { Executor } from "../../platform/db/database.ts";
import { addSeconds } from "../../platform/kernel/clock.ts";
import { parseEmailAddress } from "../../platform/kernel/email-address.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { queueEmail } from "../../platform/mail/queue-email.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Principal } from "../principal.ts";
import { generateOpaqueToken, tokenDigest } from "../tokens/opaque-token.ts";
import { readContactLanguage, saveContactEmail } from "./contact.store.ts";
import { newUnsubscribeKey } from "./contact.ts";
import type { PeopleContext } from "./context.ts";
import {
  removeEmailLinks,
  removeEmailTokens,
  storeEmailToken,
  takeEmailToken,
} from "./email-token.store.ts";
import { limitEmails } from "./limit-emails.ts";
import type { Person } from "./person.ts";
import { assertOwnPassword, requireConfirmed } from "./require-person.ts";

export type MailingContext = PeopleContext & {
  /** Whether the deployment has a mail server. */
  readonly sendsEmail: boolean;
};

const verificationSeconds = 24 * 3600;

/** Rejects `permissionDenied` where the deployment sends no email. */
export function assertSendsEmail({ sendsEmail }: Pick<MailingContext, "sendsEmail">): void {
  if (!sendsEmail) reject("permissionDenied", "This deployment doesn't send email.");
}

/** Reads an email address. Rejects `invalidValue`. */
export function readEmailAddress(text: string): string {
  return (
    parseEmailAddress(text.trim()) ??
    reject("invalidValue", "Enter an email address, for example name@example.com.", {
      pointer: "/data/attributes/email",
    })
  );
}

/**
 * Sends a link to a new address of the caller's; the address counts once the link is opened. Null removes the address at once. People
 * only, since a password can be reset through it. Rejects `confirmationDue`, `invalidValue`, `throttled`.
 */
export async function changeEmail(
  context: MailingContext,
  principal: Principal,
  text: string | null,
): Promise<void> {
  assertOwnPassword(requireConfirmed(context, principal));
  const email = text === null ? null : readEmailAddress(text);
  const { accountId, memberId } = principal;
  if (email !== null) {
    assertSendsEmail(context);
    await limitEmails(context, `verification ${accountId} ${memberId}`);
  }
  const now = context.clock.now();
  await context.db.transaction(async (tx) => {
    if (email === null) await removeAddress(context, tx, principal);
    else {
      await removeEmailTokens(tx, principal, "email_verification");
      await sendVerification(context, tx, principal, email);
    }
    await recordAudit(tx, {
      by: principal,
      action: email === null ? "email.removed" : "email.requested",
      object: { type: "member", id: memberId },
      summary: email === null ? {} : { email },
      at: now,
    });
  });
}

async function sendVerification(
  { clock, random, seal }: MailingContext,
  tx: Executor,
  { accountId, memberId }: Principal,
  email: string,
): Promise<void> {
  const now = clock.now();
  const { token, digest } = generateOpaqueToken(random);
  await storeEmailToken(
    tx,
    digest,
    { purpose: "email_verification", accountId, memberId, invitationId: null, email },
    now,
    addSeconds(now, verificationSeconds),
  );
  await queueEmail(
    tx,
    seal,
    {
      accountId,
      memberId,
      kind: "email_verification",
      recipient: email,
      content: { language: await readContactLanguage(tx, { accountId, memberId }) },
      secret: token,
    },
    now,
  );
}

/** Makes the address that the token was sent to its member's. Rejects `invalidValue` for a token that is unknown, used or expired. */
export async function verifyEmail(context: PeopleContext, token: string): Promise<string> {
  const now = context.clock.now();
  return context.db.transaction(async (tx) => {
    const found = await takeEmailToken(tx, tokenDigest(token), "email_verification", now);
    if (found === null || found.memberId === null) return rejectToken();
    const person = { accountId: found.accountId, memberId: found.memberId };
    await removeEmailLinks(tx, person);
    await replaceAddress(context, tx, person, found.email);
    await recordAudit(tx, {
      by: person,
      action: "email.verified",
      object: { type: "member", id: person.memberId },
      summary: { email: found.email },
      at: now,
    });
    return found.email;
  });
}

/** Removes a member's address and tells it; a link that was sent to it, or to one that waits for its verification, must not outlive it. */
export async function removeAddress(
  context: AddressContext,
  tx: Executor,
  person: Person,
): Promise<void> {
  await removeEmailLinks(tx, person);
  await replaceAddress(context, tx, person, null);
}

type AddressContext = Pick<PeopleContext, "clock" | "random" | "seal">;

/** Stores a member's address and tells the former one, whose reader may not have asked for this. */
async function replaceAddress(
  { clock, random, seal }: AddressContext,
  tx: Executor,
  person: Person,
  email: string | null,
): Promise<void> {
  const former = await saveContactEmail(tx, person, email, newUnsubscribeKey(random));
  if (former === null || former === email) return;
  await queueEmail(
    tx,
    seal,
    {
      accountId: person.accountId,
      memberId: person.memberId,
      kind: "address_changed",
      recipient: former,
      content: { email, language: await readContactLanguage(tx, person) },
      secret: null,
    },
    clock.now(),
  );
}

/** One answer for every token that cannot be used. */
export function rejectToken(): never {
  return reject("invalidValue", "This link has been used or has expired. Request a new one.", {
    pointer: "/data/attributes/token",
  });
}
