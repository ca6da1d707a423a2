import { assetOf } from "./assets.ts";
import type { Sql } from "./open-sql.ts";
import type { Kill } from "./strike.ts";

type Spend = { readonly currency: string; readonly fromMicros: string; readonly toMicros: string };

/**
 * Describes how many kills of each kind hit while payouts of a currency were under way: after their transaction was drafted, and
 * before its outcome was final.
 */
export async function describeInFlight(
  sql: Sql,
  kills: readonly Kill[],
): Promise<readonly string[]> {
  const spends = await sql<Spend>(
    `select p.currency, (extract(epoch from s.created_at) * 1000000)::bigint::text as "fromMicros",
       (extract(epoch from s.updated_at) * 1000000)::bigint::text as "toMicros"
     from payout p join spend s on s.id = p.spend_id`,
  );
  const byCurrency = Map.groupBy(spends, ({ currency }) => currency);
  return [...Map.groupBy(kills, ({ kind }) => kind)].map(([kind, own]) => {
    const counts = [...byCurrency].map(([currency, under]) => {
      const hit = own.filter(({ at }) =>
        under.some(({ fromMicros, toMicros }) => Number(fromMicros) < at && at < Number(toMicros)),
      );
      return `${assetOf(currency).alpha} ${hit.length}`;
    });
    return `${kind} ${own.length} times, with payouts under way: ${counts.join(", ")}`;
  });
}
