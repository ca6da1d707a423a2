import type { WatchedTransfer } from "../../chains/block-sink.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import type { Report } from "./report.ts";

/** A stored report, and what it moved between `chain/C` and `arriving/C`. */
export type StoredReport = {
  readonly id: string;
  readonly report: Report;
  readonly booked: { readonly currency: CurrencyId; readonly units: bigint } | null;
};

/** A report to store. `isOnChain`: whether a block of the best chain holds the transfer after it. */
export type WaitingReport = {
  readonly report: Report;
  readonly isOnChain: boolean;
  readonly booked: StoredReport["booked"];
};

const insertReports = statement<never>(
  "report.insert",
  `insert into deposit_report (account_id, deposit_id, transfer_id, chain, kind, block_height, block_hash, block_time, txid,
     output_index, watch_key, currency, hit, is_on_chain, chain_units, reported_at)
   select account_id, deposit_id, transfer_id, chain, kind, block_height, block_hash, block_time, txid, output_index,
     watch_key, currency, hit, is_on_chain, chain_units, reported_at
   from jsonb_populate_recordset(null::deposit_report, $1::jsonb)`,
);

/** Rows per statement, bounded because a JavaScript string has a maximum length. */
const rowsMax = 1_000;

/** Writes reports in their order. */
export async function insertWaitingReports(
  tx: Executor,
  waiting: readonly WaitingReport[],
): Promise<void> {
  for (let from = 0; from < waiting.length; from += rowsMax) {
    const rows = waiting.slice(from, from + rowsMax).map(rowOf);
    await tx.query(insertReports, [JSON.stringify(rows, unitsAsText)]);
  }
}

/** Amounts are text, because JSON numbers lose digits. */
function unitsAsText(_name: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}

function rowOf({ report, isOnChain, booked }: WaitingReport) {
  const { accountId, depositId, transferId, chain, kind, at } = report;
  const arrived = kind === "arrived" ? report : null;
  const transfer = arrived?.hit.transfer;
  return {
    account_id: accountId,
    deposit_id: depositId,
    transfer_id: transferId,
    chain,
    kind,
    block_height: kind === "orphaned" ? report.height : (arrived?.block?.height ?? null),
    block_hash: arrived?.block?.hash ?? null,
    block_time: arrived?.block == null ? null : formatTimestamp(arrived.block.time),
    txid: transfer?.key.txid ?? null,
    output_index: transfer?.key.index ?? null,
    watch_key: transfer?.to ?? null,
    currency: booked?.currency ?? null,
    hit: arrived?.hit ?? null,
    is_on_chain: isOnChain,
    chain_units: booked?.units ?? 0n,
    reported_at: formatTimestamp(at),
  };
}

type ReportRow = {
  readonly account_id: string;
  readonly id: string;
  readonly deposit_id: string;
  readonly transfer_id: string;
  readonly chain: string;
  readonly kind: Report["kind"];
  readonly block_height: string | null;
  readonly block_hash: string | null;
  readonly block_time: Instant | null;
  readonly currency: string | null;
  readonly hit: StoredHit | null;
  readonly chain_units: bigint;
  readonly reported_at: Instant;
};

/** A hit as JSON; its amounts are text. */
type StoredHit = Omit<WatchedTransfer, "transfer"> & {
  readonly transfer: Omit<WatchedTransfer["transfer"], "asset" | "withheldUnits"> & {
    readonly withheldUnits?: string;
    readonly asset:
      | {
          readonly kind: "currency";
          readonly amount: { readonly units: string; readonly currency: CurrencyId };
        }
      | { readonly kind: "unlisted"; readonly locator: string; readonly units: string };
  };
};

const readReports = statement<ReportRow>(
  "report.read",
  `select r.account_id, r.id, r.deposit_id, r.transfer_id, r.chain, r.kind, r.block_height, r.block_hash, r.block_time,
     r.currency, r.hit, r.chain_units, r.reported_at
   from unnest($1::bigint[]) as d (id)
   cross join lateral (
     select * from deposit_report where deposit_report.deposit_id = d.id order by deposit_report.id limit $2) as r
   order by r.id`,
);

/** The stored reports of these deposits, oldest first, limited per deposit. */
export async function readWaitingReports(
  tx: Executor,
  depositIds: readonly string[],
  limit: number | null,
): Promise<readonly StoredReport[]> {
  const rows = await tx.query(readReports, [depositIds, limit]);
  return rows.map((row) => ({
    id: row.id,
    report: reportFromRow(row),
    booked:
      row.currency === null || row.chain_units === 0n
        ? null
        : { currency: row.currency as CurrencyId, units: row.chain_units },
  }));
}

function reportFromRow(row: ReportRow): Report {
  const about = {
    accountId: row.account_id,
    depositId: row.deposit_id,
    transferId: row.transfer_id,
    chain: row.chain,
    at: row.reported_at,
  };
  const what = `of report ${row.id}`;
  switch (row.kind) {
    case "arrived":
      return {
        ...about,
        kind: row.kind,
        hit: hitOf(present(row.hit, `hit ${what}`)),
        block: blockOf(row),
      };
    case "orphaned":
      return {
        ...about,
        kind: row.kind,
        height: Number(present(row.block_height, `height ${what}`)),
      };
    case "cancelled":
      return { ...about, kind: row.kind };
  }
}

function blockOf({ block_height: height, block_hash: hash, block_time: time }: ReportRow) {
  // Only the follower needs the block's parent.
  return height === null || hash === null || time === null
    ? null
    : { height: Number(height), hash, time, parentHash: "" };
}

function hitOf(stored: StoredHit): WatchedTransfer {
  const { asset, withheldUnits, ...transfer } = stored.transfer;
  return {
    ...stored,
    transfer: {
      ...transfer,
      ...(withheldUnits === undefined ? {} : { withheldUnits: BigInt(withheldUnits) }),
      asset:
        asset.kind === "currency"
          ? { kind: asset.kind, amount: { ...asset.amount, units: BigInt(asset.amount.units) } }
          : { ...asset, units: BigInt(asset.units) },
    },
  };
}

const deleteReports = statement<never>(
  "report.delete",
  "delete from deposit_report where id = any($1::bigint[])",
);

/** Deletes decided reports. */
export async function deleteWaitingReports(tx: Executor, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.query(deleteReports, [ids]);
}

const findBusy = statement<{ readonly deposit_id: string }>(
  "report.find-busy",
  `select d.id as deposit_id from unnest($1::bigint[]) as d (id)
   where exists (select from deposit_report r where r.deposit_id = d.id)`,
);

/** Those of the deposits that have stored reports. */
export async function readBusyDeposits(
  tx: Executor,
  depositIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (depositIds.length === 0) return new Set();
  const rows = await tx.query(findBusy, [depositIds]);
  return new Set(rows.map((row) => row.deposit_id));
}

const findAny = statement<{ readonly any: boolean }>(
  "report.find-any",
  'select exists (select from deposit_report where chain = $1) as "any"',
);

/** Whether the chain has stored reports. */
export async function hasWaitingReports(tx: Executor, chain: string): Promise<boolean> {
  const [row] = await tx.query(findAny, [chain]);
  return row?.any === true;
}

/** A transfer that was reported but is not stored yet. */
export type ReportedTransfer = {
  readonly id: string;
  readonly account_id: string;
  readonly deposit_id: string;
  readonly txid: string;
  readonly output_index: string;
  readonly is_on_chain: boolean;
  readonly currency: string | null;
  readonly arrived_units: bigint;
};

const reportedColumns = `r.transfer_id as id, r.account_id, r.deposit_id, r.txid, r.output_index,
  r.hit #>> '{transfer,asset,amount,currency}' as currency,
  coalesce(r.hit #>> '{transfer,asset,amount,units}', r.hit #>> '{transfer,asset,units}')::numeric as arrived_units,
  (select latest.is_on_chain from deposit_report latest where latest.transfer_id = r.transfer_id
   order by latest.id desc limit 1) as is_on_chain`;

// `limit` for the same reason as in `incoming.find-by-output`. All reports of an output are about one transfer.
const findReportedByOutput = statement<ReportedTransfer>(
  "report.find-by-output",
  `select found.* from (select distinct * from unnest($2::text[], $3::bigint[])) as wanted (txid, output_index)
   cross join lateral (
     select ${reportedColumns} from deposit_report r
     where r.kind = 'arrived' and r.chain = $1 and r.txid = wanted.txid and r.output_index = wanted.output_index
     order by r.id limit 1) as found`,
);

const findReportedInBlock = statement<ReportedTransfer>(
  "report.find-in-block",
  `select distinct on (r.transfer_id) ${reportedColumns} from deposit_report r
   where r.kind = 'arrived' and r.chain = $1 and r.block_height = $2 order by r.transfer_id`,
);

/** Transfers of stored reports. Read them before stored transfers, because a decision turns reports into stored transfers. */
export const reported = {
  byOutput: (tx: Executor, chain: string, keys: readonly { txid: string; index: number }[]) =>
    keys.length === 0
      ? Promise.resolve([])
      : tx.query(findReportedByOutput, [
          chain,
          keys.map((key) => key.txid),
          keys.map((key) => key.index),
        ]),
  inBlock: (tx: Executor, chain: string, height: number) =>
    tx.query(findReportedInBlock, [chain, height]),
};

const findWork = statement<{ readonly deposit_id: string; readonly count: string }>(
  "report.find-work",
  "select deposit_id, count(*) as count from deposit_report group by deposit_id order by min(id)",
);

/** Deposits with stored reports and how many they have; oldest first. */
export function readReportedDeposits(
  db: Executor,
): Promise<readonly { readonly deposit_id: string; readonly count: string }[]> {
  return db.query(findWork);
}
