import { type Executor, statement } from "../platform/db/database.ts";
import type { CurrencyId } from "../platform/kernel/money.ts";

/** What the operator holds of each currency through conversions, in smallest units; negative if it owes. */
export type PositionUnits = ReadonlyMap<CurrencyId, bigint>;

const append = statement<never>(
  "position.append",
  `insert into conversion_delta (currency, units) select * from unnest($1::text[], $2::numeric[])`,
);

/** Records changes of the operator's position in the transaction that causes them. */
export async function appendPositions(tx: Executor, changes: PositionUnits): Promise<void> {
  const entries = [...changes].filter(([, units]) => units !== 0n);
  if (entries.length === 0) return;
  await tx.query(append, [entries.map(([id]) => id), entries.map(([, units]) => units)]);
}

const read = statement<{ readonly currency: string; readonly units: bigint }>(
  "position.read",
  `select currency, sum(units) as units from (
     select currency, units from conversion_position union all select currency, units from conversion_delta) as part
   group by currency order by currency`,
);

/** The operator's position in every currency that was ever converted. */
export async function readPositions(db: Executor): Promise<PositionUnits> {
  const rows = await db.query(read);
  return new Map(rows.map(({ currency, units }) => [currency as CurrencyId, units]));
}

const ensure = statement<never>(
  "position.ensure",
  `insert into conversion_position (currency, units) select currency, 0 from unnest($1::text[]) as input (currency)
   order by currency on conflict do nothing`,
);

const lock = statement<never>(
  "position.lock",
  "select from conversion_position where currency = any($1::text[]) order by currency for update",
);

/** Serializes conversions bounded by these positions until the transaction ends. */
export async function lockPositions(
  tx: Executor,
  currencies: readonly CurrencyId[],
): Promise<void> {
  await tx.query(ensure, [currencies]);
  await tx.query(lock, [currencies]);
}

const fold = statement<{ readonly count: string }>(
  "position.fold",
  `with gone as (
     delete from conversion_delta where id in (select id from conversion_delta order by id limit $1)
     returning currency, units),
   added as (
     insert into conversion_position (currency, units)
     select currency, sum(units) from gone group by currency order by currency
     on conflict (currency) do update set units = conversion_position.units + excluded.units)
   select count(*) as count from gone`,
);

const foldMax = 10_000;

/** Folds appended changes into the totals. After a crash each change is in exactly one of the two tables. */
export async function foldPositions(db: Executor): Promise<void> {
  for (;;) {
    const [row] = await db.query(fold, [foldMax]);
    if (Number(row?.count ?? 0) < foldMax) return;
  }
}
