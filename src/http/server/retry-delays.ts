import { type Clock, type Instant, secondsBetween } from "../../platform/kernel/clock.ts";
import type { Random } from "../../platform/kernel/random.ts";

const secondsMax = 30;
/** A failure this long after the previous one starts a new outage. */
const restSeconds = 2 * secondsMax;

type Outage = { readonly since: Instant; readonly latest: Instant };

/** The `Retry-After` delays while the service is unavailable. */
export type RetryDelays = {
  /** Counts a request that could not be served; returns the seconds for its `Retry-After`. */
  readonly failed: (route: string) => number;
  /** Ends the outage of a route. */
  readonly succeeded: (route: string) => void;
};

/**
 * Outages are counted per route, because a locked table stops some routes and not others. The longest delay is the length of the
 * outage so far, at least 1 and at most 30 seconds. Each delay is drawn from the upper half of that, so that callers who failed
 * together do not return together.
 */
export function createRetryDelays({
  clock,
  random,
}: {
  readonly clock: Pick<Clock, "now">;
  readonly random: Pick<Random, "fraction">;
}): RetryDelays {
  const outages = new Map<string, Outage>();
  return {
    failed: (route) => {
      const now = clock.now();
      const known = outages.get(route);
      const isNew = known === undefined || secondsBetween(known.latest, now) > restSeconds;
      const since = isNew ? now : known.since;
      outages.set(route, { since, latest: now });
      const seconds = Math.min(Math.max(secondsBetween(since, now), 1), secondsMax);
      return Math.ceil(seconds * (0.5 + random.fraction() / 2));
    },
    succeeded: (route) => {
      outages.delete(route);
    },
  };
}
