import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import type { PublishedQuote, SourceQuote } from "./decide-rates.ts";
import type { Quote } from "./quote.ts";

type SourceQuoteRow = {
  readonly source: string;
  readonly symbol: string;
  readonly bid: bigint;
  readonly ask: bigint;
  readonly fetched_at: Instant;
};

type RateQuoteRow = {
  readonly symbol: string;
  readonly bid: bigint;
  readonly ask: bigint;
  readonly sources: number;
  readonly created_at: Instant;
  readonly expired_at: Instant;
};

const saveSources = statement(
  "rate-quote.save-sources",
  `insert into rate_source_quote (source, symbol, bid, ask, fetched_at)
   select $1, symbol, bid, ask, $2 from unnest($3::text[], $4::numeric[], $5::numeric[]) as quote (symbol, bid, ask)
   order by symbol
   on conflict (source, symbol) do update set bid = excluded.bid, ask = excluded.ask, fetched_at = excluded.fetched_at`,
);

const readSources = statement<SourceQuoteRow>(
  "rate-quote.read-sources",
  `select source, symbol, bid, ask, fetched_at from rate_source_quote
   where source = any($1::text[]) order by symbol, source`,
);

const save = statement(
  "rate-quote.save",
  `insert into rate_quote (symbol, bid, ask, sources, created_at, expired_at)
   select * from unnest($1::text[], $2::numeric[], $3::numeric[], $4::smallint[], $5::timestamptz[], $6::timestamptz[])
     as quote (symbol, bid, ask, sources, created_at, expired_at)
   order by symbol
   on conflict (symbol) do update set bid = excluded.bid, ask = excluded.ask, sources = excluded.sources,
     created_at = excluded.created_at, expired_at = excluded.expired_at`,
);

const read = statement<RateQuoteRow>(
  "rate-quote.read",
  `select symbol, bid, ask, sources, created_at, expired_at from rate_quote`,
);

/** Stores the quotes of a source; the newest round replaces the one before. */
export async function saveSourceQuotes(
  db: Executor,
  source: string,
  quotes: ReadonlyMap<string, Quote>,
  fetchedAt: Instant,
): Promise<void> {
  const all = [...quotes.values()];
  await db.query(saveSources, [
    source,
    formatTimestamp(fetchedAt),
    [...quotes.keys()],
    all.map(({ bid }) => bid),
    all.map(({ ask }) => ask),
  ]);
}

/** The newest quotes of the given sources, so sources that are no longer configured do not count. */
export async function readSourceQuotes(
  db: Executor,
  sources: readonly string[],
): Promise<readonly SourceQuote[]> {
  const rows = await db.query(readSources, [sources]);
  return rows.map((row) => ({
    source: row.source,
    symbol: row.symbol,
    quote: { bid: row.bid, ask: row.ask },
    fetchedAt: row.fetched_at,
  }));
}

/** Publishes prices; the newest round replaces the one before. */
export async function saveRateQuotes(
  db: Executor,
  quotes: readonly PublishedQuote[],
): Promise<void> {
  await db.query(save, [
    quotes.map(({ symbol }) => symbol),
    quotes.map(({ quote }) => quote.bid),
    quotes.map(({ quote }) => quote.ask),
    quotes.map(({ sources }) => sources),
    quotes.map(({ createdAt }) => formatTimestamp(createdAt)),
    quotes.map(({ expiredAt }) => formatTimestamp(expiredAt)),
  ]);
}

/** The newest price of each symbol, including expired ones. */
export async function readRateQuotes(db: Executor): Promise<ReadonlyMap<string, PublishedQuote>> {
  const rows = await db.query(read);
  return new Map(
    rows.map((row) => [
      row.symbol,
      {
        symbol: row.symbol,
        quote: { bid: row.bid, ask: row.ask },
        sources: row.sources,
        createdAt: row.created_at,
        expiredAt: row.expired_at,
      },
    ]),
  );
}
