import type { Database, Executor } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { Random } from "../../platform/kernel/random.ts";
import { recordAudit } from "../audit/record-audit.ts";
import {
  type ChosenTopics,
  endTopicsByKey,
  readContactRow,
  saveContactEmail,
  saveContactLanguage,
  saveContactTopics,
} from "./contact.store.ts";
import { readPendingAddress } from "./email-token.store.ts";
import type { Person } from "./person.ts";

/** How a member is reached. */
export type Contact = {
  /** Verified; null: the member gets no email. */
  readonly email: string | null;
  /** An address that waits for its verification; null if none does. */
  readonly pendingEmail: string | null;
  /** What the member wants to be notified by email. */
  readonly topics: readonly string[];
  /** What the member wants to be notified in its browsers. */
  readonly pushTopics: readonly string[];
  /** Of the member's emails: `de`; null while it is unknown. */
  readonly language: string | null;
};

/** The caller's contact. */
export async function readContact(
  { db, clock }: { readonly db: Executor; readonly clock: Clock },
  person: Person,
): Promise<Contact> {
  const [row, pendingEmail] = await Promise.all([
    readContactRow(db, person),
    readPendingAddress(db, person, clock.now()),
  ]);
  const { email = null, topics = [], pushTopics = [], language = null } = row ?? {};
  return { email, pendingEmail, topics, pushTopics, language };
}

/** A key of 256 random bits, which a link contains. */
export function newUnsubscribeKey(random: Random): string {
  return Buffer.from(random.bytes(32)).toString("base64url");
}

/** Replaces what the caller wants to be notified by email and in its browsers; a channel that is left out keeps its topics. */
export async function chooseTopics(
  { db, random }: { readonly db: Executor; readonly random: Random },
  person: Person,
  { email = null, push = null }: Partial<ChosenTopics>,
): Promise<void> {
  if (email === null && push === null) return;
  await saveContactTopics(db, person, { email, push }, newUnsubscribeKey(random));
}

/** Replaces the language of the caller's emails. */
export async function chooseLanguage(
  { db, random }: { readonly db: Executor; readonly random: Random },
  person: Person,
  language: string,
): Promise<void> {
  await saveContactLanguage(db, person, language, newUnsubscribeKey(random));
}

/** Makes an address a member's that is known to be theirs. */
export async function storeVerifiedEmail(
  { db, random }: { readonly db: Executor; readonly random: Random },
  person: Person,
  email: string,
): Promise<void> {
  await saveContactEmail(db, person, email, newUnsubscribeKey(random));
}

/** Of `newUnsubscribeKey`; nothing else is looked up, since the path may contain what PostgreSQL cannot store. */
const unsubscribeKey = /^[\w-]{43}$/;

/** Ends the notifications of the member whose emails contain the key. False if nobody's do. */
export async function unsubscribe(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  key: string,
): Promise<boolean> {
  if (!unsubscribeKey.test(key)) return false;
  return db.transaction(async (tx) => {
    const person = await endTopicsByKey(tx, key);
    if (person === null) return false;
    await recordAudit(tx, {
      by: person,
      action: "notifications.ended",
      object: { type: "member", id: person.memberId },
      summary: {},
      at: clock.now(),
    });
    return true;
  });
}
