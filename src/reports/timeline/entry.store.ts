import { parseWalletAccount } from "../../ledger/ledger-account.ts";
import { ofAccount } from "../../platform/db/account-scope.ts";
import type { Executor } from "../../platform/db/database.ts";
import {
  type Bind,
  fetchPage,
  type ListSql,
  type Predicate,
} from "../../platform/db/list-query.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { type ListQuery, mapPage, type Page } from "../../platform/kernel/list-query.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { type TimelineEntry, type TimelineKind, timelineFilters } from "./timeline-entry.ts";

/** Columns of an entry besides its id, time and kind, with their types. */
const columns = {
  transfer_id: "bigint",
  payout_id: "bigint",
  txid: "text",
  block_height: "bigint",
  debit: "text",
  credit: "text",
  units: "numeric",
  currency: "text",
  status: "text",
  callback_id: "bigint",
  trigger: "text",
  attempt: "integer",
  status_code: "integer",
  message: "text",
  member_id: "bigint",
} as const;

type ColumnName = keyof typeof columns;

/**
 * The order of entries of the same instant: causes before consequences. An entry's id is its rank and the number of its row, so
 * it stays the same however often the timeline is read.
 */
const entryRank = {
  created: 1,
  chain: 2,
  action: 3,
  posting: 4,
  event: 5,
  callback: 6,
  attempt: 7,
} as const;

const rankUnit = "100000000000000000";

/**
 * One branch of a timeline. `number` is SQL that is unique among entries of its rank, `kind` SQL of a text; omitted columns are
 * null.
 */
export function entrySelect(
  entry: {
    readonly rank: keyof typeof entryRank;
    readonly number: string;
    readonly at: string;
    readonly kind: string;
  } & { readonly [Name in ColumnName]?: string },
  from: string,
): string {
  const { rank, number, at, kind } = entry;
  const others = Object.entries(columns).map(
    ([name, type]) => `(${entry[name as ColumnName] ?? "null"})::${type} as ${name}`,
  );
  return `select ${entryRank[rank]}::bigint * ${rankUnit} + ${number} as id, ${at} as at, (${kind})::text as kind,
    ${others.join(", ")} from ${from}`;
}

/** Columns of `EntryRow`, selected from entries as `e` and their members as `m`, beside their object's own wallet. */
function entryColumns(walletId: string): string {
  const names = ["id", "at", "kind", ...Object.keys(columns)];
  return `${names.map((name) => `e.${name}`).join(", ")}, m.name as member_name, ${walletId} as own_wallet_id`;
}

type EntryRow = {
  readonly id: string;
  readonly at: Instant;
  readonly kind: string;
  readonly transfer_id: string | null;
  readonly payout_id: string | null;
  readonly txid: string | null;
  readonly block_height: string | null;
  readonly debit: string | null;
  readonly credit: string | null;
  readonly units: bigint | null;
  readonly currency: string | null;
  readonly status: string | null;
  readonly callback_id: string | null;
  readonly trigger: string | null;
  readonly attempt: number | null;
  readonly status_code: number | null;
  readonly message: string | null;
  readonly member_id: string | null;
  readonly member_name: string | null;
  readonly own_wallet_id: string;
};

function entryFromRow(row: EntryRow): TimelineEntry {
  const { units, currency, member_id: id, member_name: name, own_wallet_id: own } = row;
  return {
    id: row.id,
    at: row.at,
    kind: row.kind as TimelineKind,
    transferId: row.transfer_id,
    payoutId: row.payout_id,
    txid: row.txid,
    blockHeight: row.block_height === null ? null : Number(row.block_height),
    debit: row.debit === null ? null : accountKind(row.debit, own),
    credit: row.credit === null ? null : accountKind(row.credit, own),
    money: units === null || currency === null ? null : { units, currency: currency as CurrencyId },
    status: row.status,
    callbackId: row.callback_id,
    trigger: row.trigger,
    attempt: row.attempt,
    statusCode: row.status_code,
    message: row.message,
    member: id === null || name === null ? null : { id, name },
  };
}

/** A payout's fee may be charged to another wallet, which the reader may not be allowed to see; its id is not shown. */
function accountKind(account: string, ownWalletId: string): string {
  const wallet = parseWalletAccount(account);
  if (wallet === null) return account.slice(0, account.indexOf("/"));
  return `${wallet.walletId === ownWalletId ? "wallet" : "other_wallet"}/${wallet.bucket}`;
}

/**
 * What an object's branches read by name, so that they compare no row of a distributed table with one of another table:
 * `own_posting`, selected by `cause`, and the object's `own_event`, `own_callback` and `own_attempt`.
 */
function ownRows(
  objectType: "deposit" | "payout",
  { accountId, id }: TimelineOf,
  cause: OwnCause,
): (bind: Bind) => string {
  return (bind) => {
    const [account, object] = [`${bind(accountId)}::bigint`, `${bind(id)}::bigint`];
    const ofObject = (alias: string): string =>
      `${alias}.account_id = ${account} and ${alias}.object_type = '${objectType}' and ${alias}.object_id = ${object}`;
    const itsEvent = "join event v on v.account_id = c.account_id and v.id = c.event_id";
    return `own_posting as (
      select id, created_at, debit, credit, units, currency, cause from posting
      where account_id = ${account} and cause ${cause(account, object)}
    ), own_event as (
      select id, created_at, trigger, transfer_id, payload #>> '{data,attributes,status}' as status
      from event v where ${ofObject("v")}
    ), own_callback as (
      select c.id, c.created_at, c.status, c.attempts, c.last_status_code, v.trigger
      from callback c ${itsEvent} where ${ofObject("c")}
    ), own_attempt as (
      select c.id, a.number, a.attempted_at, a.status_code, a.error, v.trigger
      from callback c join callback_attempt a on a.account_id = c.account_id and a.callback_id = c.id
        ${itsEvent} where ${ofObject("c")}
    )`;
  };
}

/** SQL of the member who last did `action` to an object, according to the account's audit log; null if the log names none. */
export function auditedMember(
  action: string,
  type: "deposit" | "payout" | "transfer",
  row: string,
): string {
  return `select a.member_id from audit_entry a
    where a.account_id = ${row}.account_id and a.object_type = '${type}' and a.object_id = ${row}.id::text
      and a.action = '${action}'
    order by a.seq desc limit 1`;
}

/** SQL that follows `cause` in the condition of an object's postings, from the SQL of its account and id. */
export type OwnCause = (account: string, object: string) => string;

/** The branches that deposits and payouts share: postings, events, callbacks and attempts. */
export function commonSelects(postings: string): readonly string[] {
  return [
    entrySelect(
      {
        rank: "posting",
        number: "l.id",
        at: "l.created_at",
        kind: "'posting'",
        debit: "l.debit",
        credit: "l.credit",
        units: "l.units",
        currency: "l.currency",
        transfer_id: "l.transfer_id",
      },
      `(${postings}) l`,
    ),
    entrySelect(
      {
        rank: "event",
        number: "v.id",
        at: "v.created_at",
        kind: "v.trigger",
        transfer_id: "v.transfer_id",
        status: "v.status",
      },
      "own_event v",
    ),
    entrySelect(
      {
        rank: "callback",
        number: "c.id",
        at: "c.created_at",
        kind: "'callback'",
        status: "c.status",
        callback_id: "c.id",
        trigger: "c.trigger",
        attempt: "c.attempts",
        status_code: "c.last_status_code",
      },
      "own_callback c",
    ),
    entrySelect(
      {
        rank: "attempt",
        number: "a.id * 1000 + a.number",
        at: "a.attempted_at",
        kind: "'attempt'",
        callback_id: "a.id",
        trigger: "a.trigger",
        attempt: "a.number",
        status_code: "a.status_code",
        message: "a.error",
      },
      "own_attempt a",
    ),
  ];
}

/**
 * When a transfer's amount was booked as included in a block or as removed from one; the last entry names the current block.
 * `postings` yields `id`, `created_at`, `debit`, `credit`, `transfer_id`; `goesOut` is true for payouts, which credit the chain's
 * account.
 */
export function chainSelect(
  postings: string,
  { goesOut, place }: { readonly goesOut: boolean; readonly place: string },
): string {
  const into = goesOut ? "l.credit" : "l.debit";
  return entrySelect(
    {
      rank: "chain",
      number: "b.id",
      at: "b.created_at",
      kind: "case when b.is_in then 'in_block' else 'taken_back' end",
      transfer_id: "b.transfer_id",
      txid: "place.txid",
      block_height: "case when b.is_in and b.is_last then place.block_height end",
    },
    `(select min(l.id) as id, l.created_at, l.transfer_id, bool_or(${into} like 'chain/%') as is_in,
        row_number() over (partition by l.transfer_id order by l.created_at desc) = 1 as is_last
      from (${postings}) l where l.debit like 'chain/%' or l.credit like 'chain/%'
      group by l.transfer_id, l.created_at) b
     join ${place}`,
  );
}

/** An object's timeline: its id, and the account that must own it. */
export type TimelineOf = { readonly accountId: string; readonly id: string };

/** Reads pages of what `branches` select for one row of the table `objectType`, aliased `object`. */
export function entryList(
  objectType: "deposit" | "payout",
  object: string,
  cause: OwnCause,
  branches: readonly string[],
): (db: Executor, of: TimelineOf, query: ListQuery) => Promise<Page<TimelineEntry>> {
  const list: ListSql = {
    name: `timeline.${objectType}`,
    select: entryColumns(`${object}.wallet_id`),
    from: `${objectType} ${object} cross join lateral (${branches.join(" union all ")}) e
      left join member m on m.account_id = ${object}.account_id and m.id = e.member_id`,
    filters: timelineFilters,
    sort: { at: { sql: "e.at", type: "timestamptz" }, id: { sql: "e.id", type: "bigint" } },
  };
  return async (db, of, query) => {
    const scope: readonly Predicate[] = [
      ofAccount(`${object}.account_id`, of.accountId),
      (bind) => `${object}.id = ${bind(of.id)}::bigint`,
    ];
    const own = { ...list, withSql: ownRows(objectType, of, cause) };
    return mapPage(await fetchPage<EntryRow>(db, own, scope, query), entryFromRow);
  };
}
