import type { Executor } from "../db/database.ts";
import { addSeconds, type Clock } from "../kernel/clock.ts";
import { shareAnswer } from "../kernel/share-answer.ts";
import { readCaughtUp } from "./page.store.ts";

/** A chain that was not read up to its tip for so long shows no payment soon: nobody is sent there. */
const staleSeconds = 120;
/** Seconds for which one look serves every page. */
const sharedSeconds = 1;

/** Chains on which a payment would not be seen soon, of those that this deployment runs. */
export type FindPausedChains = () => Promise<ReadonlySet<string>>;

/** One look at the database serves all who ask within a second. `enabledChains` are those that this deployment follows. */
export function createFindPausedChains(
  db: Executor,
  clock: Clock,
  enabledChains: ReadonlySet<string>,
): FindPausedChains {
  const look = async (): Promise<ReadonlySet<string>> => {
    const caughtUp = await readCaughtUp(db);
    const oldest = addSeconds(clock.now(), -staleSeconds);
    return new Set([...enabledChains].filter((chain) => (caughtUp.get(chain) ?? 0) < oldest));
  };
  return shareAnswer(look, clock, sharedSeconds);
}
