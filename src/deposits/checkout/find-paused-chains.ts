import { isCaughtUp } from "../../currencies/is-caught-up.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { singleFlight } from "../../platform/kernel/single-flight.ts";
import { readCaughtUp } from "./page.store.ts";

/** Seconds for which one query is shared by all pages. */
const sharedSeconds = 1;

/** Returns the enabled chains whose follower lags behind. Payments there would not be detected soon, so they are not offered. */
export type FindPausedChains = () => Promise<ReadonlySet<string>>;

/** Shares one database query among all callers within a second. `enabledChains` are the chains that this deployment follows. */
export function createFindPausedChains(
  db: Executor,
  clock: Clock,
  enabledChains: ReadonlySet<string>,
): FindPausedChains {
  const find = async (): Promise<ReadonlySet<string>> => {
    const caughtUp = await readCaughtUp(db);
    const now = clock.now();
    return new Set(
      [...enabledChains].filter((chain) => !isCaughtUp(caughtUp.get(chain) ?? null, now)),
    );
  };
  return singleFlight(find, clock, sharedSeconds);
}
