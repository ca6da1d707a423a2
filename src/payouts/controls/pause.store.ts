import { recordNotices } from "../../notifications/record-notices.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp, formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";
import {
  nodePause,
  type Pause,
  type PauseKind,
  type PauseScope,
  type StoredPauseKind,
} from "./pause.ts";
import { resumptionNotice, stopNotice } from "./stop-notice.ts";

/** The columns that `pauseColumns` selects. */
export type PauseRow = {
  readonly stops:
    | readonly {
        readonly kind: PauseKind;
        readonly scope: PauseScope;
        readonly reason: string;
        readonly since_micros: number;
      }[]
    | null;
  readonly is_opened: boolean;
  readonly caught_up_at: Instant | null;
};

/** SQL: the pause state of the chain that the SQL expression names. */
export function pauseColumns(chain: string): string {
  return `(select jsonb_agg(jsonb_build_object('kind', kind, 'scope', scope, 'reason', reason,
       'since_micros', (extract(epoch from created_at) * 1000000)::bigint) order by kind, scope)
     from payout_stop where scope in ('all', 'chain/' || ${chain})) as stops,
   exists (select from chain_cursor where chain = ${chain}) as is_opened,
   (select caught_up_at from chain_cursor where chain = ${chain}) as caught_up_at`;
}

/** The pauses of a chain. */
export function pausesFromRow(chain: string, row: PauseRow, now: Instant): readonly Pause[] {
  const ofNode = nodePause({ chain, isOpened: row.is_opened, caughtUpAt: row.caught_up_at }, now);
  const stops = (row.stops ?? []).map(
    ({ since_micros, ...stop }): Pause => ({ ...stop, since: since_micros as Instant }),
  );
  return ofNode === null ? stops : [...stops, ofNode];
}

const readStatement = statement<PauseRow>("pause.read", `select ${pauseColumns("$1::text")}`);

/** The current pauses of a chain; empty if there are none. */
export async function readPauses(
  db: Executor,
  chain: string,
  now: Instant,
): Promise<readonly Pause[]> {
  const [row] = await db.query(readStatement, [chain]);
  return row === undefined ? [] : pausesFromRow(chain, row, now);
}

const listStatement = statement<Omit<Pause, "since"> & { readonly since: Instant }>(
  "pause.list",
  "select kind, scope, reason, created_at as since from payout_stop order by scope, kind",
);

const readingsStatement = statement<{
  readonly chain: string;
  readonly caughtUpAt: Instant | null;
}>(
  "pause.chain-readings",
  `select chain, caught_up_at as "caughtUpAt" from chain_cursor order by chain`,
);

/** The current pauses of all chains. */
export async function listPauses(db: Executor, now: Instant): Promise<readonly Pause[]> {
  const [stops, readings] = await Promise.all([
    db.query(listStatement),
    db.query(readingsStatement),
  ]);
  const ofNodes = readings.flatMap(
    (reading) => nodePause({ ...reading, isOpened: true }, now) ?? [],
  );
  return [...stops, ...ofNodes];
}

/** Why and by whom payouts are paused; `by` is null for the command line and the service itself. */
export type PauseCause = {
  readonly reason: string;
  readonly by: { readonly accountId: string; readonly memberId: string } | null;
  readonly now: Instant;
  /** Transactions that no record is left of may be mined until then; absent where their claims tell. */
  readonly validUntil?: Instant | null;
  /** An existing pause begins again, with `now` and `validUntil`: what was read since it began says nothing about its new cause. Otherwise it keeps both. */
  readonly beginsAgain?: boolean;
  /** Of a kill switch of one chain: also stops reading it, so that nothing is credited there. */
  readonly stopsReading?: boolean;
};

// PostgreSQL generates `kind` from this column.
const byReconciliation: Readonly<Record<StoredPauseKind, boolean | null>> = {
  kill_switch: false,
  reconciliation: true,
  restore: null,
};

const pauseStatement = statement<{ readonly is_new: boolean }>(
  "pause.set",
  `insert into payout_stop
     (scope, by_reconciliation, reason, created_at, set_by_account_id, set_by_member_id, valid_until, stops_reading)
   values ($1, $2::boolean, $3, $4, $5, $6, $7, $8)
   on conflict (scope, kind) do update
     set reason = excluded.reason, set_by_account_id = excluded.set_by_account_id,
       set_by_member_id = excluded.set_by_member_id, stops_reading = excluded.stops_reading,
       created_at = case when $9 then excluded.created_at else payout_stop.created_at end,
       valid_until = case when $9 then excluded.valid_until else payout_stop.valid_until end
   returning xmax = 0 as is_new`,
);

/** Stops accepting and drafting payouts in the scope, in a transaction with the notices of it. An existing pause of the same kind and scope gets the new reason, and stops reading or no longer does. */
export async function pausePayouts(
  tx: Executor,
  kind: StoredPauseKind,
  scope: PauseScope,
  { reason, by, now, stopsReading = false, validUntil = null, beginsAgain = false }: PauseCause,
): Promise<void> {
  const [row] = await tx.query(pauseStatement, [
    scope,
    byReconciliation[kind],
    reason,
    formatTimestamp(now),
    by?.accountId ?? null,
    by?.memberId ?? null,
    formatTimestampOrNull(validUntil),
    stopsReading,
    beginsAgain,
  ]);
  if (row?.is_new !== true) return;
  const stop = {
    chain: chainOf(scope),
    wallet: null,
    cause: kind,
    // A reconciliation's would reveal what the deployment holds.
    reason: kind === "reconciliation" ? null : reason,
  };
  await recordNotices(tx, [stopNotice("deployment", stop)], now);
}

const isReadingStatement = statement<{ readonly scope: string }>(
  "pause.stops-reading",
  "select scope from payout_stop where scope = 'chain/' || $1::text and stops_reading",
);

/** Whether a person has stopped that the chain is read, and payments on it credited. */
export async function isReadingStopped(db: Executor, chain: string): Promise<boolean> {
  return (await db.query(isReadingStatement, [chain])).length > 0;
}

const resumeStatement = statement<{ scope: string }>(
  "pause.lift",
  "delete from payout_stop where kind = $1 and scope = $2 returning scope",
);

/** Ends one kind of pause, in a transaction with the notices of it; false if there was none. Other pauses of the scope remain. */
export async function resumePayouts(
  tx: Executor,
  kind: StoredPauseKind,
  scope: PauseScope,
  now: Instant,
): Promise<boolean> {
  const isOff = (await tx.query(resumeStatement, [kind, scope])).length > 0;
  const resumed = { chain: chainOf(scope), wallet: null, cause: kind, by: null };
  if (isOff) await recordNotices(tx, [resumptionNotice("deployment", resumed, now)], now);
  return isOff;
}

function chainOf(scope: PauseScope): string | null {
  return scope === "all" ? null : scope.slice("chain/".length);
}
