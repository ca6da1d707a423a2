import { Gauge, type Registry } from "prom-client";
import type { Executor } from "../../platform/db/database.ts";
import { type Clock, type Instant, secondsBetween } from "../../platform/kernel/clock.ts";
import { readRateSources, readRateTimes } from "../../reports/operations/backlog.store.ts";
import type { ExpectedSeries } from "./expected-series.ts";

/** A fiat currency without a price for this long is one that its sources have given up. */
const forgottenSeconds = 7 * 86_400;

/**
 * Gauges of prices and of their sources, from the shared database. What a deployment needs and never had is as old as the process,
 * which has waited for it at least since its start. Which fiat currencies have a source at all depends on the sources: each counts
 * from its first price on.
 */
export function rateGauges(
  registry: Registry,
  { rateSources, rateSymbols }: Pick<ExpectedSeries, "rateSources" | "rateSymbols">,
  startedAt: Instant,
): (db: Executor, clock: Clock) => Promise<void> {
  const gauge = (name: string, help: string, labelNames: readonly string[]): Gauge =>
    new Gauge({ name: `sluice_${name}`, help, labelNames: [...labelNames], registers: [registry] });
  const sourceAge = gauge("rate_source_age_seconds", "Since the source of rates was last heard", [
    "source",
  ]);
  const age = gauge("rate_age_seconds", "Since the newest price was heard", ["symbol"]);
  return async (db, clock) => {
    const now = clock.now();
    const ageSeconds = (since: Instant): number => Math.max(secondsBetween(since, now), 0);
    const [sources, rates] = await Promise.all([readRateSources(db), readRateTimes(db)]);
    const heardAt = new Map(sources.map(({ source, newest_at }) => [source, newest_at]));
    for (const source of rateSources)
      sourceAge.set({ source }, ageSeconds(heardAt.get(source) ?? startedAt));
    const pricedAt = new Map(rates.map(({ symbol, created_at }) => [symbol, created_at]));
    age.reset();
    for (const { symbol, isOnChain } of rateSymbols) {
      const since = pricedAt.get(symbol) ?? (isOnChain ? startedAt : null);
      if (since === null) continue;
      const seconds = ageSeconds(since);
      if (isOnChain || seconds <= forgottenSeconds) age.set({ symbol }, seconds);
    }
  };
}
