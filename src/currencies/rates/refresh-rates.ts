import type { Database } from "../../platform/db/database.ts";
import { type Clock, type Instant, secondsBetween } from "../../platform/kernel/clock.ts";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { decideRates, type SourceQuote } from "./decide-rates.ts";
import type { RateProvider } from "./provider.ts";
import { isPlausible, type Quote } from "./quote.ts";
import {
  readRateQuotes,
  readSourceQuotes,
  saveRateQuotes,
  saveSourceQuotes,
} from "./rate-quote.store.ts";

export type RefreshRatesContext = {
  readonly db: Database;
  readonly providers: readonly RateProvider[];
  readonly clock: Clock;
  readonly logger: Logger;
};

export type RefreshedRates = {
  /** Names of the sources that responded in this round, and of those that failed. Fixings that still hold are in neither. */
  readonly answered: readonly string[];
  readonly failed: readonly string[];
  readonly published: number;
  readonly withheld: number;
};

/**
 * Fetches all sources, stores their quotes and publishes one price per symbol. A failing source is logged and loses
 * only its own quotes. One worker runs it every `refreshSeconds`; two running at once do no harm.
 */
export async function refreshRates(
  context: RefreshRatesContext,
  signal: AbortSignal,
): Promise<RefreshedRates> {
  const { db, providers, clock, logger } = context;
  const names = providers.map(({ name }) => name);
  const known = await readSourceQuotes(db, names);
  const asked = providers.filter((provider) => isDue(provider, known, clock.now()));
  const answers = await Promise.all(
    asked.map((provider) => fetchQuotes(provider, clock, logger, signal)),
  );
  const answered = answers.filter((answer) => answer !== null);
  const fixings = new Map(
    providers.flatMap(({ name, fixingSeconds }) =>
      fixingSeconds === null ? [] : [[name, fixingSeconds] as const],
    ),
  );
  const { published, withheld } = await db.transaction(async (tx) => {
    for (const { name, quotes, fetchedAt } of answered)
      await saveSourceQuotes(tx, name, quotes, fetchedAt);
    const quotes = await readSourceQuotes(tx, names);
    const decision = decideRates(quotes, fixings, await readRateQuotes(tx), clock.now());
    await saveRateQuotes(tx, decision.published);
    return decision;
  });
  for (const { symbol, reason } of withheld) logger.warn("rate withheld", { symbol, reason });
  return {
    answered: answered.map(({ name }) => name),
    failed: asked
      .map(({ name }) => name)
      .filter((name) => !answered.some((answer) => answer.name === name)),
    published: published.length,
    withheld: withheld.length,
  };
}

/** Whether the source is asked in this round. */
function isDue(
  { name, fixingSeconds }: RateProvider,
  known: readonly SourceQuote[],
  now: Instant,
): boolean {
  if (fixingSeconds === null) return true;
  const times = known.filter(({ source }) => source === name).map(({ fetchedAt }) => fetchedAt);
  const age = times.length === 0 ? null : secondsBetween(Math.max(...times) as Instant, now);
  // A time in the future was stored before the clock was set back.
  return age === null || age < 0 || age >= fixingSeconds;
}

type SourceAnswer = {
  readonly name: string;
  readonly quotes: ReadonlyMap<string, Quote>;
  readonly fetchedAt: Instant;
};

async function fetchQuotes(
  provider: RateProvider,
  clock: Clock,
  logger: Logger,
  signal: AbortSignal,
): Promise<SourceAnswer | null> {
  const { name } = provider;
  try {
    const quotes = [...(await provider.fetch(signal))].filter(([, quote]) => isPlausible(quote));
    return { name, quotes: new Map(quotes), fetchedAt: clock.now() };
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    logger.warn("rate source failed", { source: name, error: errorMessage(error) });
    return null;
  }
}
