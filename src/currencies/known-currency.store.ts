import { type Executor, statement } from "../platform/db/database.ts";
import type { Instant } from "../platform/kernel/clock.ts";
import { formatTimestamp } from "../platform/kernel/timestamp.ts";
import type { Currency } from "./currency.ts";

export type KnownCurrency = {
  readonly currency: string;
  readonly alpha: string;
  readonly exp: number;
  readonly chain: string | null;
};

const readAll = statement<KnownCurrency>(
  "known-currency.read",
  "select currency, alpha, exp, chain from known_currency order by currency",
);

const save = statement<never>(
  "known-currency.save",
  `insert into known_currency (currency, alpha, exp, chain, first_used_at)
   select input.*, $5::timestamptz from unnest($1::text[], $2::text[], $3::smallint[], $4::text[]) as input
   on conflict (currency) do update set alpha = excluded.alpha, exp = excluded.exp, chain = excluded.chain
   where (known_currency.alpha, known_currency.exp, known_currency.chain)
     is distinct from (excluded.alpha, excluded.exp, excluded.chain)`,
);

const findUsed = statement<{ readonly currency: string }>(
  "known-currency.find-used",
  `select currency from unnest($1::text[]) as asked (currency)
   where exists (select from wallet w where w.currency = asked.currency)
      or exists (select from deposit d where d.currency = asked.currency or d.wallet_currency = asked.currency)
      or exists (select from transfer t where t.currency = asked.currency)`,
  { mayTakeLong: true },
);

/** Every currency that any configuration of this database has had. */
export function readKnownCurrencies(db: Executor): Promise<readonly KnownCurrency[]> {
  return db.query(readAll);
}

/** Adds new currencies and updates changed ones. */
export async function saveKnownCurrencies(
  db: Executor,
  currencies: readonly Currency[],
  now: Instant,
): Promise<void> {
  await db.query(save, [
    currencies.map(({ id }) => id),
    currencies.map(({ alpha }) => alpha),
    currencies.map(({ exp }) => exp),
    currencies.map(({ chain }) => chain),
    formatTimestamp(now),
  ]);
}

/** The given currencies that any wallet, deposit or transfer uses. Scans whole tables, so pass only the few that changed. */
export async function findUsedCurrencies(
  db: Executor,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query(findUsed, [ids]);
  return new Set(rows.map(({ currency }) => currency));
}
