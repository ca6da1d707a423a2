import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import type { Person } from "./person.ts";
import type { NewSubscription, PushSubscription } from "./push-browser.ts";

const list = statement<PushSubscription>(
  "push-subscription.list",
  `select id, browser, endpoint, created_at as "createdAt", session_number as "sessionNumber"
   from push_subscription where account_id = $1 and member_id = $2 order by id`,
);

/** The member's browsers, oldest first. */
export function readSubscriptions(
  db: Executor,
  { accountId, memberId }: Person,
): Promise<readonly PushSubscription[]> {
  return db.query(list, [accountId, memberId]);
}

const removeOthers = statement(
  "push-subscription.remove-others",
  "delete from push_subscription where endpoint = $1 and (account_id <> $2 or member_id <> $3)",
);

/** Takes an endpoint from the other members who used that browser. */
export async function removeFromOthers(
  tx: Executor,
  { accountId, memberId }: Person,
  endpoint: string,
): Promise<void> {
  await tx.query(removeOthers, [endpoint, accountId, memberId]);
}

const save = statement<{ readonly id: string; readonly isNew: boolean }>(
  "push-subscription.save",
  `insert into push_subscription
     (account_id, member_id, session_number, endpoint, public_key, auth_sealed, language, browser, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
   on conflict (endpoint) do update set session_number = excluded.session_number, public_key = excluded.public_key,
     auth_sealed = excluded.auth_sealed, language = excluded.language, browser = excluded.browser
   where push_subscription.account_id = excluded.account_id and push_subscription.member_id = excluded.member_id
   returning id, xmax = 0 as "isNew"`,
);

/** Stores a member's browser, or what changed of it; null if another member subscribed it in this moment. */
export async function saveSubscription(
  tx: Executor,
  { accountId, memberId }: Person,
  subscription: Omit<NewSubscription, "auth"> & {
    readonly sessionNumber: string;
    readonly authSealed: Uint8Array;
    readonly browser: string;
  },
  now: Instant,
): Promise<{ readonly id: string; readonly isNew: boolean } | null> {
  const { sessionNumber, endpoint, publicKey, authSealed, language, browser } = subscription;
  const [row] = await tx.query(save, [
    accountId,
    memberId,
    sessionNumber,
    endpoint,
    publicKey,
    authSealed,
    language,
    browser,
    formatTimestamp(now),
  ]);
  return row ?? null;
}

const removeOldest = statement(
  "push-subscription.remove-oldest",
  `delete from push_subscription where account_id = $1 and member_id = $2 and id in (
     select id from push_subscription where account_id = $1 and member_id = $2 order by id desc offset $3)`,
);

/** Keeps the member's `countMax` newest browsers. */
export async function removeOldestSubscriptions(
  tx: Executor,
  { accountId, memberId }: Person,
  countMax: number,
): Promise<void> {
  await tx.query(removeOldest, [accountId, memberId, countMax]);
}

const remove = statement<{ readonly browser: string }>(
  "push-subscription.remove",
  "delete from push_subscription where account_id = $1 and member_id = $2 and id = $3 returning browser",
);

/** Removes one of the member's browsers and returns its name; null if it has no such browser. */
export async function removeSubscriptionRow(
  tx: Executor,
  { accountId, memberId }: Person,
  id: string,
): Promise<string | null> {
  const [row] = await tx.query(remove, [accountId, memberId, id]);
  return row?.browser ?? null;
}
