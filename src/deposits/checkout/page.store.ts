import type { Row } from "../../platform/db/columns.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { depositColumns, depositFromRow } from "../deposit.ts";
import { operationType, transferColumns, transferFromRow } from "../transfers/transfer.ts";
import type { PageRecord } from "./page-record.ts";

/** Maximum number of payments on a page. Credited payments have priority over uncredited ones. */
const arrivalsMax = 50;

/**
 * SQL: a text that changes whenever anything on a page is written: the deposit, the account's settings, the refund address, the
 * newest transfers, the chain heights for confirmations, and, before the choice of currency, the rates. It consists of the ids of the
 * transactions that wrote the rows (`xmin`), so no counter is needed and no change is missed.
 */
const pageKey = `concat_ws(' ', d.xmin, a.xmin, coalesce(p.xmin::text, '-'),
  (select string_agg(concat(t.version, case when t.is_counting then concat(':', c.height) end), ',' order by t.id)
   from (
     select id, chain, xmin as version, not is_confirmed and block_height is not null as is_counting from transfer
     where transfer.account_id = d.account_id and transfer.deposit_id = d.id
     order by id desc limit ${arrivalsMax}) as t
   left join chain_cursor c on c.chain = t.chain),
  case when d.currency is null then (select max(created_at) from rate_quote) end)`;

const pageTables = `
   join deposit d on d.payment_page_id = input.page_id
   join account a on a.id = d.account_id
   left join deposit_payer p on p.account_id = d.account_id and p.deposit_id = d.id`;

const listChangedStatement = statement<{ readonly page_id: string }>(
  "page.find-changed",
  `select input.page_id
   from unnest($1::uuid[], $2::text[]) as input (page_id, known) ${pageTables}
   where ${pageKey} is distinct from input.known`,
  { mayTakeLong: true },
);

/** Lists the pages that changed since they were read, in one statement for all pages. */
export async function listChangedPages(
  db: Executor,
  known: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const rows = await db.query(listChangedStatement, [[...known.keys()], [...known.values()]]);
  return rows.map((row) => row.page_id);
}

type PageRow = Row & {
  readonly payment_page_id: string;
  readonly id: string;
  readonly help_email: string | null;
  readonly page_key: string;
  readonly shop_name: string | null;
  readonly account_help_email: string | null;
  readonly frame_ancestors: readonly string[];
  readonly logo_digest: string | null;
  readonly accent_color: string | null;
  readonly accent_color_dark: string | null;
  readonly shows_order_reference: boolean;
  readonly shows_receipt: boolean;
  readonly receipt_note: string | null;
  readonly refund_address: string | null;
  readonly refund_tag: string | null;
};

const readPagesStatement = statement<PageRow>(
  "page.read-pages",
  `select ${depositColumns}, ${pageKey} as page_key, a.payment_page_shop_name as shop_name,
     a.help_email as account_help_email, a.payment_page_frame_ancestors as frame_ancestors, a.logo_digest,
     a.accent_color, a.accent_color_dark, a.shows_order_reference, a.shows_receipt, a.receipt_note, p.refund_address, p.refund_tag
   from unnest($1::uuid[]) as input (page_id) ${pageTables}`,
);

type ArrivalRow = Row & {
  readonly deposit_id: string;
  readonly tip_height: string | null;
  readonly page_key: string;
};

/* What activated an address of Algorand is our own money: its payer sees no payment. */
const readArrivalsStatement = statement<ArrivalRow>(
  "page.read-arrivals",
  `with page as materialized (
     select d.account_id as of_account, d.id as of_deposit, ${pageKey} as page_key
     from unnest($1::uuid[]) as input (page_id) ${pageTables})
   select ${transferColumns}, c.height as tip_height, page.page_key
   from page
   cross join lateral (
     select * from transfer
     where transfer.account_id = page.of_account and transfer.deposit_id = page.of_deposit
       and transfer.op_type <> ${operationType.algorandActivation}
     order by disposition in ('dust', 'misplaced', 'none'), id desc limit ${arrivalsMax}) as t
   left join chain_cursor c on c.chain = t.chain`,
);

/** Maximum attempts to read pages that are written to concurrently. */
const readsMax = 5;

/**
 * Reads pages by their ids; unknown ids are absent from the result. A page and its transfers are read by two statements. If a write
 * between them made the two inconsistent, the page is read again.
 */
export async function readPages(
  db: Executor,
  pageIds: readonly string[],
): Promise<ReadonlyMap<string, PageRecord>> {
  const pages = new Map<string, PageRecord>();
  let watchedIds = pageIds;
  for (let reads = 0; watchedIds.length > 0 && reads < readsMax; reads += 1) {
    const rows = await db.query(readPagesStatement, [watchedIds]);
    const transfers = rows.length === 0 ? [] : await db.query(readArrivalsStatement, [idsOf(rows)]);
    const arrivals = Map.groupBy(transfers, (row) => row.deposit_id);
    for (const row of rows) pages.set(row.payment_page_id, pageFromRow(row, arrivals.get(row.id)));
    watchedIds = idsOf(rows.filter((row) => isTorn(row, arrivals.get(row.id))));
  }
  return pages;
}

function idsOf(rows: readonly PageRow[]): readonly string[] {
  return rows.map((row) => row.payment_page_id);
}

function isTorn({ page_key }: PageRow, [arrival]: readonly ArrivalRow[] = []): boolean {
  return arrival !== undefined && arrival.page_key !== page_key;
}

function pageFromRow(row: PageRow, arrivals: readonly ArrivalRow[] = []): PageRecord {
  return {
    key: row.page_key,
    deposit: depositFromRow(row),
    shopName: row.shop_name,
    logoDigest: row.logo_digest,
    accentColor: row.accent_color,
    accentColorDark: row.accent_color_dark,
    showsOrderReference: row.shows_order_reference,
    showsReceipt: row.shows_receipt,
    receiptNote: row.receipt_note,
    helpEmail: row.help_email ?? row.account_help_email,
    frameAncestors: row.frame_ancestors,
    refundAddress: row.refund_address,
    refundTag: row.refund_tag,
    arrivals: arrivals.map((arrival) => ({
      transfer: transferFromRow(arrival),
      tipHeight: arrival.tip_height === null ? null : Number(arrival.tip_height),
    })),
  };
}

const readCaughtUpStatement = statement<{
  readonly chain: string;
  readonly caught_up_at: Instant | null;
}>("page.read-caught-up", "select chain, caught_up_at from chain_cursor");

/** Returns when each chain was last scanned up to its node's tip; null or absent: never. */
export async function readCaughtUp(db: Executor): Promise<ReadonlyMap<string, Instant | null>> {
  const rows = await db.query(readCaughtUpStatement);
  return new Map(rows.map((row) => [row.chain, row.caught_up_at]));
}
