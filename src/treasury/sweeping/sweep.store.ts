import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { formatTimestamp, formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";

/** A deposit address's holding, according to the blocks. */
export type Candidate = {
  readonly watchKey: string;
  readonly keyIndex: number;
  readonly currency: CurrencyId;
  readonly units: bigint;
};

/** One that may be swept now. `failures`: how often it could not be in a row. */
export type FreeHolding = Candidate & { readonly failures: number };

/** The minimum units of a currency that are worth surveying, and whether payouts wait for it. */
export type Minimum = {
  readonly currency: CurrencyId;
  readonly units: bigint;
  readonly isWanted: boolean;
};

/** What keeps a holding `h` from being swept now: $1 chain, $5 now, $6 keyspace. */
const isFree = `(h.retry_at is null or h.retry_at <= $5)
     and not exists (
       select from sweep_source s
       where s.chain = h.chain and s.watch_key = h.watch_key and s.settled_at is null)
     and not exists (
       select from delegation d
       where d.chain = h.chain and d.watch_key = h.watch_key and d.ending_spend_id is not null)
     and not exists (
       select from address a join transfer t on t.account_id = a.account_id and t.deposit_id = a.deposit_id
       where a.keyspace = $6 and a.watch_key = h.watch_key and t.chain = h.chain
         and (t.disposition = 'blocked' or t.risk_status = 2))
     and not exists (
       select from deposit_report r where r.chain = h.chain and r.watch_key = h.watch_key and r.kind = 'arrived')`;

/*
 * Of each currency, the holdings of the greatest worth are read from their index until enough are free, and those at prepared
 * addresses from these. Reading all that are worth it took 295,000 buffers with 240,000 of them.
 */
const findCandidates = statement<Omit<FreeHolding, "keyIndex"> & { readonly keyIndex: string }>(
  "sweep.find-candidates",
  `with least as (
     select * from unnest($2::text[], $3::numeric[], $4::boolean[]) as least (currency, units, is_wanted)
   ), worthy as (
     (select h.* from least cross join lateral (
        select h.* from holding h
        where h.chain = $1 and h.currency = least.currency and h.units > 0 and h.units >= least.units and ${isFree}
        order by h.units desc, h.watch_key limit $7) as h)
     union
     (select h.* from least cross join lateral (
        select h.* from delegation d join holding h on h.chain = d.chain and h.watch_key = d.watch_key
        where d.chain = $1 and h.currency = least.currency and h.units > 0 and h.units >= least.units and ${isFree}
        order by h.units desc, h.watch_key limit $7) as h)
   )
   select h.watch_key as "watchKey", h.key_index as "keyIndex", h.currency, h.units, h.failures
   from worthy h join least on least.currency = h.currency
   order by least.is_wanted desc,
     exists (select from delegation d where d.chain = h.chain and d.watch_key = h.watch_key) desc,
     h.units / greatest(least.units, 1) desc, h.watch_key, h.currency
   limit $7`,
);

/**
 * Holdings that may be worth sweeping: those that payouts wait for first, then those at prepared addresses, then by worth. Leaves out deposits that screening
 * blocked or has yet to check, holdings that are being moved, and those whose retry is not due.
 */
export async function listCandidates(
  db: Executor,
  { chain, keyspace }: { readonly chain: string; readonly keyspace: string },
  least: readonly Minimum[],
  now: Instant,
  limit: number,
): Promise<readonly FreeHolding[]> {
  const rows = await db.query(findCandidates, [
    chain,
    least.map(({ currency }) => currency),
    least.map(({ units }) => units),
    least.map(({ isWanted }) => isWanted),
    formatTimestamp(now),
    keyspace,
    limit,
  ]);
  return rows.map((row) => ({ ...row, keyIndex: Number(row.keyIndex) }));
}

/** One asset of a deposit address that a spend sweeps. */
export type SweepSourceRow = Candidate & { readonly spendId: string };

const insertSourcesStatement = statement<never>(
  "sweep.insert-sources",
  `insert into sweep_source (spend_id, chain, watch_key, key_index, currency, units, created_at)
   select s.spend_id, $1, s.watch_key, s.key_index, s.currency, s.units, $2
   from unnest($3::bigint[], $4::text[], $5::bigint[], $6::text[], $7::numeric[])
     as s (spend_id, watch_key, key_index, currency, units)`,
);

/** Stores sources. Rejects if another spend is moving one of them. */
export async function insertSources(
  tx: Executor,
  chain: string,
  sources: readonly SweepSourceRow[],
  now: Instant,
): Promise<void> {
  await tx.query(insertSourcesStatement, [
    chain,
    formatTimestamp(now),
    sources.map(({ spendId }) => spendId),
    sources.map(({ watchKey }) => watchKey),
    sources.map(({ keyIndex }) => keyIndex),
    sources.map(({ currency }) => currency),
    sources.map(({ units }) => units),
  ]);
}

const holdCoinStatement = statement<never>(
  "sweep.hold-coin",
  `insert into holding (chain, watch_key, currency, account_id, wallet_id, key_index, units, changed_at_height)
   select distinct on (watch_key) chain, watch_key, $2, account_id, wallet_id, key_index, 0, 0 from holding
   where chain = $1 and watch_key = any($3::text[]) order by watch_key
   on conflict do nothing`,
);

/**
 * Has comparisons of ledger and chain read the coin of addresses that get a top-up: it stays in the books, and no payment ever brought them
 * any.
 */
export async function holdCoin(
  tx: Executor,
  chain: string,
  coin: CurrencyId,
  watchKeys: readonly string[],
): Promise<void> {
  await tx.query(holdCoinStatement, [chain, coin, watchKeys]);
}

export type FinishedSource = SweepSourceRow & {
  /** What the address holds by the books: what the sweep was to move, and what has arrived since. */
  readonly heldUnits: bigint;
  readonly kind: "sweep" | "top_up" | "delegate";
  readonly state: "included" | "confirmed" | "failed" | "dead" | "dropped";
  readonly failures: number;
};

const findOver = statement<Omit<FinishedSource, "keyIndex"> & { readonly keyIndex: string }>(
  "sweep.find-over",
  `select s.spend_id as "spendId", s.watch_key as "watchKey", s.key_index as "keyIndex", s.currency, s.units,
     coalesce(h.units, 0) as "heldUnits", spend.kind, spend.state, coalesce(h.failures, 0) as failures
   from sweep_source s join spend on spend.id = s.spend_id
   left join holding h on h.chain = s.chain and h.watch_key = s.watch_key and h.currency = s.currency
   where s.chain = $1 and s.settled_at is null
     and (spend.state in ('confirmed', 'failed', 'dead', 'dropped') or (spend.kind in ('top_up', 'delegate') and spend.state = 'included'))
   order by s.spend_id, s.watch_key, s.currency limit $2`,
);

/** The sources of finished spends; a preparation is finished once it is in a block. */
export async function listFinishedSources(
  db: Executor,
  chain: string,
  limit: number,
): Promise<readonly FinishedSource[]> {
  const rows = await db.query(findOver, [chain, limit]);
  return rows.map((row) => ({ ...row, keyIndex: Number(row.keyIndex) }));
}

const settle = statement<never>(
  "sweep.settle",
  `update sweep_source s set settled_at = $1, left_units = input.left_units
   from unnest($2::bigint[], $3::text[], $4::text[], $5::numeric[]) as input (spend_id, watch_key, currency, left_units)
   where s.spend_id = input.spend_id and s.watch_key = input.watch_key and s.currency = input.currency`,
);

/** Records that the sweep of these addresses is finished, and how many units it left there. */
export async function settleSources(
  tx: Executor,
  sources: readonly (SweepSourceRow & { readonly leftUnits: bigint })[],
  now: Instant,
): Promise<void> {
  await tx.query(settle, [
    formatTimestamp(now),
    sources.map(({ spendId }) => spendId),
    sources.map(({ watchKey }) => watchKey),
    sources.map(({ currency }) => currency),
    sources.map(({ leftUnits }) => leftUnits),
  ]);
}

type HoldingKey = Pick<Candidate, "watchKey" | "currency">;

const findChanged = statement<HoldingKey & { readonly changedAtHeight: string }>(
  "sweep.find-changed",
  `select h.watch_key as "watchKey", h.currency, h.changed_at_height as "changedAtHeight"
   from unnest($2::text[], $3::text[]) as input (watch_key, currency)
   join holding h on h.chain = $1 and h.watch_key = input.watch_key and h.currency = input.currency`,
);

/** A holding, and the block that changed it last according to the books. */
export type ChangedHolding = HoldingKey & { readonly changedAtHeight: number };

/** When each of these holdings changed last. */
export async function readChanged(
  db: Executor,
  chain: string,
  holdings: readonly HoldingKey[],
): Promise<readonly ChangedHolding[]> {
  const rows = await db.query(findChanged, [
    chain,
    holdings.map(({ watchKey }) => watchKey),
    holdings.map(({ currency }) => currency),
  ]);
  return rows.map((row) => ({ ...row, changedAtHeight: Number(row.changedAtHeight) }));
}

/** A holding according to the chain, and when the books had last changed it before the chain was asked. */
export type SeenHolding = ChangedHolding & { readonly units: bigint };

const correct = statement<never>(
  "sweep.correct-holdings",
  `update holding h set units = seen.units
   from unnest($2::text[], $3::text[], $4::numeric[], $5::bigint[]) as seen (watch_key, currency, units, changed_at_height)
   where h.chain = $1 and h.watch_key = seen.watch_key and h.currency = seen.currency and h.units <> seen.units
     and h.changed_at_height = seen.changed_at_height`,
  { mayWait: true },
);

/**
 * Corrects holdings to what the chain reports. One that a block has changed since stays as it is: the chain's answer may not contain that
 * block's payment, which would never be swept then.
 */
export async function correctHoldings(
  db: Executor,
  chain: string,
  seen: readonly SeenHolding[],
): Promise<void> {
  await db.query(correct, [
    chain,
    seen.map(({ watchKey }) => watchKey),
    seen.map(({ currency }) => currency),
    seen.map(({ units }) => units),
    seen.map(({ changedAtHeight }) => changedAtHeight),
  ]);
}

export type Retry = Pick<Candidate, "watchKey" | "currency"> & {
  readonly failures: number;
  readonly retryAt: Instant | null;
};

const delay = statement<never>(
  "sweep.delay-retries",
  `update holding h set failures = input.failures, retry_at = input.retry_at
   from unnest($2::text[], $3::text[], $4::smallint[], $5::timestamptz[]) as input (watch_key, currency, failures, retry_at)
   where h.chain = $1 and h.watch_key = input.watch_key and h.currency = input.currency`,
);

/** Records the failures of these addresses, and when each is retried; null: at any time. */
export async function delayRetries(
  db: Executor,
  chain: string,
  retries: readonly Retry[],
): Promise<void> {
  if (retries.length === 0) return;
  await db.query(delay, [
    chain,
    retries.map(({ watchKey }) => watchKey),
    retries.map(({ currency }) => currency),
    retries.map(({ failures }) => failures),
    retries.map(({ retryAt }) => formatTimestampOrNull(retryAt)),
  ]);
}

const countOpen = statement<{ readonly open: number; readonly settingUp: boolean }>(
  "sweep.count-open",
  `select count(*)::integer as open, coalesce(bool_or(purpose -> 'sources' = '[]'::jsonb), false) as "settingUp"
   from spend where chain = $1 and kind in ('sweep', 'top_up', 'delegate', 'undelegate') and state = 'open'`,
);

/** How many sweeping transactions are in no block yet, and whether one of them sets up batches. */
export async function readSweepsInProgress(
  db: Executor,
  chain: string,
): Promise<{ readonly open: number; readonly settingUp: boolean }> {
  const [row] = await db.query(countOpen, [chain]);
  return row ?? { open: 0, settingUp: false };
}
