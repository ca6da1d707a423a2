import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import type { Person } from "./person.ts";

const insert = statement(
  "reset-request.insert",
  "insert into password_reset_request (login, requested_at) values ($1, $2)",
);

/** Stores what a person typed who forgot their password. */
export async function storeResetRequest(db: Executor, login: string, now: Instant): Promise<void> {
  await db.query(insert, [login, formatTimestamp(now)]);
}

const take = statement<{ readonly login: string }>(
  "reset-request.take",
  `delete from password_reset_request
   where id = (select id from password_reset_request order by id limit 1 for update skip locked)
   returning login`,
);

/** Removes the oldest request; null when there is none. */
export async function takeResetRequest(tx: Executor): Promise<string | null> {
  const [row] = await tx.query(take, []);
  return row?.login ?? null;
}

const find = statement<Person & { readonly email: string }>(
  "reset-request.find-people",
  `select p.account_id as "accountId", p.member_id as "memberId", c.email
   from person_login p
     join member m on m.account_id = p.account_id and m.id = p.member_id and m.deactivated_at is null
     join member_contact c on c.account_id = p.account_id and c.member_id = p.member_id and c.email is not null
   where (p.login = $1 or lower(c.email) = $1) and not p.is_initial
   order by p.account_id, p.member_id limit 5`,
);

/** The active people with a verified address and a password of their own who have this login or this address, in lower case. */
export function findResettable(
  tx: Executor,
  typed: string,
): Promise<readonly (Person & { readonly email: string })[]> {
  return tx.query(find, [typed]);
}
