import { type Executor, statement } from "../platform/db/database.ts";

const save = statement<never>(
  "payout-trace.save",
  `update payout p set trace_parent = input.trace_parent
   from unnest($1::bigint[], $2::bigint[], $3::text[]) as input (account_id, id, trace_parent)
   where p.account_id = input.account_id and p.id = input.id`,
);

/** Stores which requests' traces the payouts continue, in the transaction that inserts them. */
export async function savePayoutTraces(
  tx: Executor,
  payouts: readonly {
    readonly accountId: string;
    readonly id: string;
    readonly traceparent: string;
  }[],
): Promise<void> {
  if (payouts.length === 0) return;
  await tx.query(save, [
    payouts.map(({ accountId }) => accountId),
    payouts.map(({ id }) => id),
    payouts.map(({ traceparent }) => traceparent),
  ]);
}

const readOfSpends = statement<{ readonly spendId: string; readonly traceparent: string }>(
  "payout-trace.read-of-spends",
  `select spend_id as "spendId", trace_parent as traceparent from payout
   where spend_id = any($1::bigint[]) and trace_parent is not null order by id`,
);

/** The traces of the payouts that each spend carries, by spend; the oldest payout's first. */
export async function readTracesOfSpends(
  db: Executor,
  spendIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (spendIds.length === 0) return new Map();
  const rows = await db.query(readOfSpends, [spendIds]);
  const bySpend = Map.groupBy(rows, ({ spendId }) => spendId);
  return new Map(
    [...bySpend].map(([id, ofSpend]) => [id, ofSpend.map(({ traceparent }) => traceparent)]),
  );
}

const readOfPayouts = statement<{ readonly id: string; readonly traceparent: string }>(
  "payout-trace.read-of-payouts",
  `select id, trace_parent as traceparent from payout
   where id = any($1::bigint[]) and trace_parent is not null`,
);

/** The traces of payouts, by id; those without one are absent. */
export async function readTracesOfPayouts(
  db: Executor,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query(readOfPayouts, [ids]);
  return new Map(rows.map(({ id, traceparent }) => [id, traceparent]));
}
