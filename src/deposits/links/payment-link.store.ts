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
import type { ListQuery, Page } from "../../platform/kernel/list-query.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { depositStatus } from "../deposit-status.ts";
import {
  type LinkTerms,
  linkFields,
  linkTerms,
  type OfferedLink,
  offeredLinkFields,
  offeredLinkFromRow,
  type PaymentLink,
  type StoredLink,
  storedLinkFields,
  storedLinkFromRow,
} from "./payment-link.ts";
import { linkFilters, linkSort } from "./payment-link-filters.ts";

const walletCurrency =
  "select w.currency from wallet w where w.account_id = l.account_id and w.id = l.wallet_id";

const storedColumns = columnList(storedLinkFields, "l", { wallet_currency: walletCurrency });

/** A link is public, and without a stock it has any number of deposits: no visitor waits for a count of them. */
const offeredColumns = columnList(offeredLinkFields, "l", {
  wallet_currency: walletCurrency,
  taken: `case when l.stock is null then 0 else (
     select count(*)::integer from (
       select from deposit d
       where d.account_id = l.account_id and d.payment_link_id = l.id and d.status <> ${depositStatus.canceled}
       limit l.stock) as taken) end`,
});

type Counts = { readonly id: string; readonly taken: number; readonly paid: number };

const countDeposits = statement<Counts>(
  "payment-link.count-deposits",
  `select d.payment_link_id as id, count(*) filter (where d.status <> ${depositStatus.canceled})::integer as taken,
     count(*) filter (where d.status = ${depositStatus.paid})::integer as paid
   from deposit d where d.account_id = $1 and d.payment_link_id = any($2::bigint[]) group by d.payment_link_id`,
  { mayTakeLong: true },
);

async function withCounts(
  db: Executor,
  accountId: string,
  links: readonly StoredLink[],
): Promise<readonly PaymentLink[]> {
  if (links.length === 0) return [];
  const rows = await db.query(countDeposits, [accountId, links.map(({ id }) => id)]);
  const counted = new Map(rows.map(({ id, taken, paid }) => [id, { taken, paid }]));
  return links.map((link) => ({ ...link, ...(counted.get(link.id) ?? { taken: 0, paid: 0 }) }));
}

const list: ListSql = {
  name: "payment-link.list",
  select: storedColumns,
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
  const page = await fetchPage<Row>(db, list, scope, query);
  return { ...page, items: await withCounts(db, accountId, page.items.map(storedLinkFromRow)) };
}

const readOne = statement<Row>(
  "payment-link.read",
  `select ${storedColumns} from payment_link l where l.account_id = $1 and l.id = $2`,
);

/** Null when the account has no such link. Counts all its deposits. */
export async function readLinkRow(
  db: Executor,
  accountId: string,
  id: string,
): Promise<PaymentLink | null> {
  const rows = await db.query(readOne, [accountId, id]);
  const [link] = await withCounts(db, accountId, rows.map(storedLinkFromRow));
  return link ?? null;
}

const readByPage = statement<Row>(
  "payment-link.read-by-page",
  `select ${offeredColumns} from payment_link l where l.page_id = $1`,
);

/** The link with this public id; null when there is none. */
export async function readLinkByPage(db: Executor, pageId: string): Promise<OfferedLink | null> {
  const [row] = await db.query(readByPage, [pageId]);
  return row === undefined ? null : offeredLinkFromRow(row);
}

const lock = statement<never>(
  "payment-link.lock",
  "select from payment_link where account_id = $1 and id = $2 for no key update",
);

const readLocked = statement<Row>(
  "payment-link.read-locked",
  `select ${offeredColumns} from payment_link l where l.account_id = $1 and l.id = $2`,
);

/**
 * Locks the link until the transaction ends and reads it then, so that its deposits are counted as of after the lock. Null when the
 * account has no such link.
 */
export async function lockLink(
  tx: Executor,
  accountId: string,
  id: string,
): Promise<OfferedLink | null> {
  await tx.query(lock, [accountId, id]);
  const [row] = await tx.query(readLocked, [accountId, id]);
  return row === undefined ? null : offeredLinkFromRow(row);
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
  { accountId, id }: Pick<StoredLink, "accountId" | "id">,
  terms: LinkTerms,
  now: Instant,
): Promise<void> {
  const values = JSON.stringify(writeRecord(linkTerms, terms));
  await tx.query(update, [accountId, id, values, formatTimestamp(now)]);
}
