import { isCaughtUp } from "../../currencies/is-caught-up.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { shareAnswer } from "../../platform/kernel/share-answer.ts";
import { readCaughtUp } from "./page.store.ts";

/** Seconds for which one look serves every page. */
const sharedSeconds = 1;

/** Chains on which a payment would not be seen soon, of those that this deployment runs: nobody is sent there. */
export type FindPausedChains = () => Promise<ReadonlySet<string>>;

/** One look at the database serves all who ask within a second. `enabledChains` are those that this deployment follows. */
export function createFindPausedChains(
  db: Executor,
  clock: Clock,
  enabledChains: ReadonlySet<string>,
): FindPausedChains {
  const look = async (): Promise<ReadonlySet<string>> => {
    const caughtUp = await readCaughtUp(db);
    const now = clock.now();
    return new Set(
      [...enabledChains].filter((chain) => !isCaughtUp(caughtUp.get(chain) ?? null, now)),
    );
  };
  return shareAnswer(look, clock, sharedSeconds);
}
