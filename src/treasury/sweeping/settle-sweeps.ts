import { assert } from "../../platform/kernel/assert.ts";
import { maxBigInt } from "../../platform/kernel/bigint-min-max.ts";
import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import { watchKeyOf } from "./deposit-address.ts";
import { upsertPrepared } from "./prepared-address.store.ts";
import { surveyCandidates } from "./survey-candidates.ts";
import {
  delayRetries,
  type FinishedSource,
  listFinishedSources,
  type Retry,
  settleSources,
} from "./sweep.store.ts";
import type { SweepContext, SweepSettings } from "./sweep-context.ts";

const pageSize = 500;

/**
 * Evaluates finished sweeps by what the addresses hold now. A successful transaction proves nothing: a batch may silently skip
 * addresses, and tokens may misbehave. What did not move is retried, with growing delays.
 */
export async function settleSweeps(context: SweepContext, signal: AbortSignal): Promise<void> {
  const { db, clock, logger, chain, settings } = context;
  const over = await listFinishedSources(db, chain.chain, pageSize);
  if (over.length === 0) return;
  const survey = await surveyCandidates(context, over, signal);
  const { addressing } = chain;
  const states = new Map(survey.states.map((state) => [watchKeyOf(addressing, state), state]));
  const settled = over.map((source) => {
    const state = states.get(source.watchKey);
    const asset = state?.assets.find(({ currency }) => currency === source.currency);
    assert(asset !== undefined, `${source.watchKey} was surveyed`);
    // As if nothing had moved, so that it is looked at again, and the address's other assets need not wait for this one.
    return { ...source, leftUnits: asset.latest ?? maxBigInt(source.units, source.heldUnits) };
  });
  const now = clock.now();
  const retries = settled.flatMap((source) => retryOf(source, settings, now) ?? []);
  for (const { watchKey, currency, failures } of retries)
    if (failures > 0)
      logger.warn("a sweep moved nothing", { chain: chain.chain, watchKey, currency, failures });
  await db.transaction(async (tx) => {
    await settleSources(tx, settled, now);
    await delayRetries(tx, chain.chain, retries);
    await upsertPrepared(
      tx,
      chain.chain,
      [...states].flatMap(([watchKey, { isPrepared, keyIndex }]) =>
        isPrepared ? [{ watchKey, keyIndex }] : [],
      ),
      now,
    );
  });
}

/** When a source may be retried; null for a successful preparation, which moves nothing. Pure. */
export function retryOf(
  source: Pick<
    FinishedSource,
    "kind" | "state" | "watchKey" | "currency" | "units" | "heldUnits" | "failures"
  > & {
    readonly leftUnits: bigint;
  },
  settings: Pick<SweepSettings, "retryMinSeconds" | "retryMaxSeconds">,
  now: Instant,
): Retry | null {
  const { kind, state, watchKey, currency, units, heldUnits, leftUnits } = source;
  const hasSucceeded = state === "confirmed" || state === "included";
  if (kind !== "sweep" && hasSucceeded) return null;
  // The address may have been paid again in the meantime.
  if (hasSucceeded && leftUnits < maxBigInt(units, heldUnits))
    return { watchKey, currency, failures: 0, retryAt: null };
  return retryLater({ watchKey, currency, failures: source.failures }, settings, now);
}

/** One more failure, and when the next attempt may be made after it. Pure. */
export function retryLater(
  { watchKey, currency, failures: before }: Omit<Retry, "retryAt">,
  { retryMinSeconds, retryMaxSeconds }: Pick<SweepSettings, "retryMinSeconds" | "retryMaxSeconds">,
  now: Instant,
): Retry {
  const failures = Math.min(before + 1, 30);
  const seconds = Math.min(retryMinSeconds * 2 ** (failures - 1), retryMaxSeconds);
  return { watchKey, currency, failures, retryAt: addSeconds(now, seconds) };
}
