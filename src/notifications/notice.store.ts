import { type Executor, statement } from "../platform/db/database.ts";
import { present } from "../platform/kernel/assert.ts";
import { addSeconds, type Instant } from "../platform/kernel/clock.ts";
import type { JsonObject } from "../platform/kernel/json.ts";
import { formatTimestamp } from "../platform/kernel/timestamp.ts";
import type { EmailKind } from "../platform/mail/email.ts";
import type { Digest, Notice, NoticeContent } from "./notice.ts";
import type { Topic } from "./topic.ts";

/** Nodes are operators' business. */
const mayKnow = "(input.topic <> 'node_down' or a.is_operator)";
/** A person whose password is an initial one sees no wallet, as on every other way to the account. */
const sees = `(p.is_initial is not true and (m.sees_all_wallets or (not input.needs_all and (input.wallet_id is null or exists (
  select from wallet_grant g
  where g.account_id = m.account_id and g.member_id = m.id and g.wallet_id = input.wallet_id)))))`;

/** How members are notified: where their notices and messages stand, what they chose, and who can be reached. */
const channels = {
  email: {
    notices: "notice",
    messages: "email",
    topics: "topics",
    isReached: "c.email is not null",
  },
  push: {
    notices: "push_notice",
    messages: "push_message",
    topics: "push_topics",
    isReached: `exists (
      select from push_subscription s where s.account_id = c.account_id and s.member_id = c.member_id)`,
  },
} as const;

export type Channel = keyof typeof channels;

const insertNotices = (
  isOfAccount: string,
  { notices, topics, isReached }: (typeof channels)[Channel],
): string =>
  `insert into ${notices} (account_id, member_id, topic, content, created_at)
   select c.account_id, c.member_id, input.topic, input.content, $1
   from input
     join member_contact c on ${isOfAccount} and input.topic = any(c.${topics}) and ${isReached}
     join member m on m.account_id = c.account_id and m.id = c.member_id and m.deactivated_at is null
     join account a on a.id = c.account_id
     left join person_login p on p.account_id = m.account_id and p.member_id = m.id
   where ${mayKnow} and ${sees} and m.id is distinct from input.except_member_id
   order by input.position`;

const tellAccounts = statement(
  "notice.tell-accounts",
  `with input as (
     select * from unnest($2::bigint[], $3::bigint[], $4::boolean[], $5::text[], $6::jsonb[], $7::bigint[], $8::bigint[])
       with ordinality
       as input (account_id, wallet_id, needs_all, topic, content, paid_deposit_id, except_member_id, position)
   ), told as (
     ${insertNotices("c.account_id = input.account_id", channels.email)}
   ), pushed as (
     ${insertNotices("c.account_id = input.account_id", channels.push)}
   ), requested as (
     delete from receipt_request r using input
     where r.account_id = input.account_id and r.deposit_id = input.paid_deposit_id
     returning r.account_id, r.deposit_id, r.email, r.language
   )
   insert into email (account_id, kind, recipient, content, status, due_at, created_at, updated_at)
   select account_id, 'receipt', email, jsonb_build_object('deposit_id', deposit_id::text, 'language', language),
     'pending', $1, $1, $1
   from requested`,
);

const tellDeployment = statement(
  "notice.tell-deployment",
  `with input as (
     select null::bigint as account_id, null::bigint as wallet_id, null::bigint as except_member_id, false as needs_all,
       topic, content, position
     from unnest($2::text[], $3::jsonb[]) with ordinality as input (topic, content, position)
   ), pushed as (
     ${insertNotices("true", channels.push)}
   )
   ${insertNotices("true", channels.email)}`,
);

/** A notice as it is stored. */
export type NoticeRow = Omit<Notice, "event"> & {
  readonly topic: Topic;
  readonly content: NoticeContent;
};

/** Writes notices of both channels for the members who are notified, and the receipts of the deposits that were paid. */
export async function storeNotices(
  tx: Executor,
  notices: readonly NoticeRow[],
  now: Instant,
): Promise<void> {
  const at = formatTimestamp(now);
  const ofAccounts = notices.flatMap(({ audience, ...notice }) =>
    audience === "deployment" ? [] : [{ audience, ...notice }],
  );
  const ofAll = notices.filter(({ audience }) => audience === "deployment");
  if (ofAccounts.length > 0)
    await tx.query(tellAccounts, [
      at,
      ofAccounts.map(({ audience }) => audience.accountId),
      ofAccounts.map(({ audience }) => ("walletId" in audience ? audience.walletId : null)),
      ofAccounts.map(({ audience }) => "members" in audience && audience.members === "all_wallets"),
      ofAccounts.map(({ topic }) => topic),
      ofAccounts.map(({ content }) => JSON.stringify(content)),
      ofAccounts.map(({ paidDepositId }) => paidDepositId),
      ofAccounts.map(({ audience }) => audience.exceptMemberId ?? null),
    ]);
  if (ofAll.length > 0)
    await tx.query(tellDeployment, [
      at,
      ofAll.map(({ topic }) => topic),
      ofAll.map(({ content }) => JSON.stringify(content)),
    ]);
}

/** A member's notices of one topic. */
export type NoticeGroup = {
  readonly accountId: string;
  readonly memberId: string;
  readonly topic: Topic;
};

// A message ends the wait of the notices before it; those that follow wait until its quiet period is over.
const readDue = perChannel(({ name, notices, messages }) =>
  statement<NoticeGroup>(
    `notice.due-${name}`,
    `select n.account_id as "accountId", n.member_id as "memberId", n.topic
     from (select distinct account_id, member_id, topic from ${notices}) n
     where not exists (
       select from ${messages} e
       where e.account_id = n.account_id and e.member_id = n.member_id and e.topic = n.topic and e.created_at > $1)
     order by 1, 2, 3 limit 1000`,
  ),
);

/** The groups that were not told of anything within the last `quietSeconds`. */
export function readDueGroups(
  db: Executor,
  channel: Channel,
  now: Instant,
  quietSeconds: number,
): Promise<readonly NoticeGroup[]> {
  return db.query(readDue[channel], [formatTimestamp(addSeconds(now, -quietSeconds))]);
}

/** Whom a message goes to, as the member's contact and account say it now. */
export type Recipient = {
  /** Null: the member gets no email. */
  readonly email: string | null;
  /** Null: unknown. */
  readonly language: string | null;
  /** The shop's name, as its payers know it. */
  readonly shop: string;
  /** Whether the member still wants notices of the topic. */
  readonly wants: boolean;
};

const lockRecipient = perChannel(({ name, topics }) =>
  statement<Recipient>(
    `notice.lock-recipient-${name}`,
    `select c.email, c.language, coalesce(a.payment_page_shop_name, a.name) as shop,
       m.deactivated_at is null and $3 = any(c.${topics}) as wants
     from member_contact c join member m on m.account_id = c.account_id and m.id = c.member_id
       join account a on a.id = c.account_id
     where c.account_id = $1 and c.member_id = $2 for update of c`,
  ),
);

const take = perChannel(({ name, notices }) =>
  statement<{ readonly content: NoticeContent }>(
    `notice.take-${name}`,
    `with taken as (
       delete from ${notices} where account_id = $1 and member_id = $2 and topic = $3 returning id, content)
     select content from taken order by id`,
  ),
);

/** Removes a group's notices, oldest first, with whom they are for. */
export async function takeNotices(
  tx: Executor,
  channel: Channel,
  { accountId, memberId, topic }: NoticeGroup,
): Promise<{ readonly recipient: Recipient; readonly contents: readonly NoticeContent[] }> {
  const values = [accountId, memberId, topic];
  const [row] = await tx.query(lockRecipient[channel], values);
  const taken = await tx.query(take[channel], values);
  const recipient = present(row, "the contact of a member with notices");
  return { recipient, contents: taken.map(({ content }) => content) };
}

const insertToAdministrators = statement(
  "notice.insert-to-administrators",
  `insert into email (account_id, member_id, kind, recipient, content, status, due_at, created_at, updated_at)
   select m.account_id, m.id, $2, c.email,
     $3::jsonb || jsonb_build_object('language', c.language, 'shop', coalesce(a.payment_page_shop_name, a.name)),
     'pending', $4, $4, $4
   from member m join member_contact c on c.account_id = m.account_id and c.member_id = m.id
     join account a on a.id = m.account_id
   where m.account_id = $1 and m.role in ('owner', 'admin') and m.deactivated_at is null and c.email is not null
   order by m.id`,
);

/** Writes an email to every active Owner and Admin of an account who has a confirmed address, in the language of each. */
export async function storeAdministratorEmails(
  tx: Executor,
  accountId: string,
  kind: EmailKind,
  content: JsonObject,
  now: Instant,
): Promise<void> {
  await tx.query(insertToAdministrators, [
    accountId,
    kind,
    JSON.stringify(content),
    formatTimestamp(now),
  ]);
}

const insertEmail = statement(
  "notice.insert-email",
  `insert into email (account_id, member_id, kind, topic, recipient, content, status, due_at, created_at, updated_at)
   values ($1, $2, 'notification', $3, $4, $5, 'pending', $6, $6, $6)`,
);

/** Writes the email that tells a group's notices. */
export async function storeNotification(
  tx: Executor,
  { accountId, memberId, topic }: NoticeGroup,
  recipient: string,
  content: Digest,
  now: Instant,
): Promise<void> {
  const values = [accountId, memberId, topic, recipient, JSON.stringify(content)];
  await tx.query(insertEmail, [...values, formatTimestamp(now)]);
}

const insertPushes = statement(
  "notice.insert-pushes",
  `insert into push_message
     (account_id, member_id, subscription_id, topic, content, status, due_at, created_at, updated_at)
   select s.account_id, s.member_id, s.id, $3, $4, 'pending', $5, $5, $5
   from push_subscription s where s.account_id = $1 and s.member_id = $2 order by s.id`,
);

/** Writes a message that tells a group's notices to each of the member's browsers. */
export async function storePushes(
  tx: Executor,
  { accountId, memberId, topic }: NoticeGroup,
  content: Digest,
  now: Instant,
): Promise<void> {
  const values = [accountId, memberId, topic, JSON.stringify(content), formatTimestamp(now)];
  await tx.query(insertPushes, values);
}

function perChannel<Made>(
  make: (channel: (typeof channels)[Channel] & { readonly name: Channel }) => Made,
): Readonly<Record<Channel, Made>> {
  return {
    email: make({ name: "email", ...channels.email }),
    push: make({ name: "push", ...channels.push }),
  };
}
