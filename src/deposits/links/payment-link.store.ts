import { accountScope } from "../../platform/db/account-scope.ts";
import {
  assignments,
  columnDefinitions,
  columnList,
  type RecordOf,
  type Row,
  writeRecord,
} from "../../platform/db/columns.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import { fetchPage, type ListSql } from "../../platform/db/list-query.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { type ListQuery, mapPage, type Page } from "../../platform/kernel/list-query.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { depositStatus } from "../deposit-status.ts";
import {
  type LinkTerms,
  linkFields,
  linkFromRow,
  linkTerms,
  type PaymentLink,
  shownLinkFields,
} from "./payment-link.ts";
import { linkFilters, linkSort } from "./payment-link-filters.ts";

const ofLink =
  "select count(*)::integer from deposit d where d.account_id = l.account_id and d.payment_link_id = l.id";

const columns = columnList(shownLinkFields, "l", {
  wallet_currency:
    "select w.currency from wallet w where w.account_id = l.account_id and w.id = l.wallet_id",
  taken: `${ofLink} and d.status <> ${depositStatus.canceled}`,
  paid: `${ofLink} and d.status = ${depositStatus.paid}`,
});

const list: ListSql = {
  name: "payment-link.list",
  select: columns,
  from: "payment_link l",
  filters: linkFilters,
  sort: linkSort,
};

/** One page of an account's links, limited to those into the given wallets unless `wallets` is null. */
export async function listLinkRows(
  db: Executor,
  accountId: string,
  wallets: readonly string[] | null,
  query: ListQuery,
): Promise<Page<PaymentLink>> {
  const owner = { account: "l.account_id", wallet: "l.wallet_id" };
  const scope = accountScope(owner, accountId, wallets);
  return mapPage(await fetchPage<Row>(db, list, scope, query), linkFromRow);
}

const readOne = statement<Row>(
  "payment-link.read",
  `select ${columns} from payment_link l where l.account_id = $1 and l.id = $2`,
);

/** Null when the account has no such link. */
export async function readLinkRow(
  db: Executor,
  accountId: string,
  id: string,
): Promise<PaymentLink | null> {
  const [row] = await db.query(readOne, [accountId, id]);
  return row === undefined ? null : linkFromRow(row);
}

const readByPage = statement<Row>(
  "payment-link.read-by-page",
  `select ${columns} from payment_link l where l.page_id = $1`,
);

/** The link with this public id; null when there is none. */
export async function readLinkByPage(db: Executor, pageId: string): Promise<PaymentLink | null> {
  const [row] = await db.query(readByPage, [pageId]);
  return row === undefined ? null : linkFromRow(row);
}

const lock = statement<never>(
  "payment-link.lock",
  "select from payment_link where account_id = $1 and id = $2 for no key update",
);

/**
 * Locks the link until the transaction ends and reads it then, so that its deposits are counted as of after the lock. Null when the
 * account has no such link.
 */
export async function lockLink(
  tx: Executor,
  accountId: string,
  id: string,
): Promise<PaymentLink | null> {
  await tx.query(lock, [accountId, id]);
  return readLinkRow(tx, accountId, id);
}

const nextId = statement<{ id: string }>(
  "payment-link.next-id",
  "select nextval(pg_get_serial_sequence('payment_link', 'id')) as id",
);

const insert = statement<never>(
  "payment-link.insert",
  `insert into payment_link (${columnList(linkFields)})
   select ${columnList(linkFields, "i")} from json_to_record($1::json) as i (${columnDefinitions(linkFields)})`,
);

/** Stores a link; returns its id. */
export async function insertLink(
  tx: Executor,
  link: Omit<RecordOf<typeof linkFields>, "id">,
): Promise<string> {
  const [row] = await tx.query(nextId, []);
  const { id } = present(row, "an id");
  await tx.query(insert, [JSON.stringify(writeRecord(linkFields, { ...link, id }))]);
  return id;
}

const update = statement<never>(
  "payment-link.update",
  `update payment_link set ${assignments(linkTerms, "i")}, updated_at = $4
   from json_to_record($3::json) as i (${columnDefinitions(linkTerms)})
   where payment_link.account_id = $1 and payment_link.id = $2`,
);

/** Replaces a link's terms; the caller holds its lock. */
export async function updateLink(
  tx: Executor,
  { accountId, id }: Pick<PaymentLink, "accountId" | "id">,
  terms: LinkTerms,
  now: Instant,
): Promise<void> {
  const values = JSON.stringify(writeRecord(linkTerms, terms));
  await tx.query(update, [accountId, id, values, formatTimestamp(now)]);
}
