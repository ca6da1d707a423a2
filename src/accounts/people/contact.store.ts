import { type Executor, statement } from "../../platform/db/database.ts";
import type { Person } from "./person.ts";

type Row = {
  readonly email: string | null;
  readonly topics: readonly string[];
  readonly pushTopics: readonly string[];
  readonly language: string | null;
};

const read = statement<Row>(
  "contact.read",
  `select email, topics, push_topics as "pushTopics", language from member_contact where account_id = $1 and member_id = $2`,
);

/** A member's verified address, topics and language; null if it never had any of them. */
export async function readContactRow(db: Executor, person: Person): Promise<Row | null> {
  const [row] = await db.query(read, [person.accountId, person.memberId]);
  return row ?? null;
}

// A list that is null keeps its value.
const saveTopics = statement(
  "contact.save-topics",
  `insert into member_contact as c (account_id, member_id, topics, push_topics, unsubscribe_key)
   values ($1, $2, coalesce($3::text[], '{}'), coalesce($4::text[], '{}'), $5)
   on conflict (account_id, member_id) do update
     set topics = coalesce($3, c.topics), push_topics = coalesce($4, c.push_topics)`,
);

/** What a member is notified by email and in its browsers; null: unchanged. */
export type ChosenTopics = {
  readonly email: readonly string[] | null;
  readonly push: readonly string[] | null;
};

/** Replaces a member's topics. `newKey` is the key of a contact that is created by this. */
export async function saveContactTopics(
  tx: Executor,
  { accountId, memberId }: Person,
  { email, push }: ChosenTopics,
  newKey: string,
): Promise<void> {
  await tx.query(saveTopics, [accountId, memberId, email, push, newKey]);
}

const saveLanguage = statement(
  "contact.save-language",
  `insert into member_contact (account_id, member_id, language, unsubscribe_key) values ($1, $2, $3, $4)
   on conflict (account_id, member_id) do update set language = excluded.language`,
);

/** Replaces the language of a member's emails, as `saveContactTopics` does. */
export async function saveContactLanguage(
  tx: Executor,
  { accountId, memberId }: Person,
  language: string,
  newKey: string,
): Promise<void> {
  await tx.query(saveLanguage, [accountId, memberId, language, newKey]);
}

/** The language of a member's emails; null while it is unknown. */
export async function readContactLanguage(db: Executor, person: Person): Promise<string | null> {
  return (await readContactRow(db, person))?.language ?? null;
}

const lockEmail = statement<{ readonly email: string | null }>(
  "contact.lock-email",
  "select email from member_contact where account_id = $1 and member_id = $2 for update",
);

const saveEmail = statement(
  "contact.save-email",
  `insert into member_contact (account_id, member_id, email, unsubscribe_key) values ($1, $2, $3, $4)
   on conflict (account_id, member_id) do update set email = excluded.email`,
);

/**
 * Replaces a member's verified address and returns the former one; null removes it. `newKey` is the key of a contact that is created by
 * this.
 */
export async function saveContactEmail(
  tx: Executor,
  { accountId, memberId }: Person,
  email: string | null,
  newKey: string,
): Promise<string | null> {
  const [before] = await tx.query(lockEmail, [accountId, memberId]);
  await tx.query(saveEmail, [accountId, memberId, email, newKey]);
  return before?.email ?? null;
}

const readKey = statement<{ readonly unsubscribe_key: string }>(
  "contact.read-key",
  "select unsubscribe_key from member_contact where account_id = $1 and member_id = $2",
);

/** The key in the links that end a member's notifications; null for a member without contact. */
export async function readUnsubscribeKey(db: Executor, person: Person): Promise<string | null> {
  const [row] = await db.query(readKey, [person.accountId, person.memberId]);
  return row?.unsubscribe_key ?? null;
}

const endTopics = statement<Person>(
  "contact.end-topics",
  `update member_contact set topics = '{}' where unsubscribe_key = $1
   returning account_id as "accountId", member_id as "memberId"`,
);

/** Ends the notifications of the member with this key; null if nobody has it. */
export async function endTopicsByKey(tx: Executor, key: string): Promise<Person | null> {
  const [row] = await tx.query(endTopics, [key]);
  return row ?? null;
}
