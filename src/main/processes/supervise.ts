import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { World } from "../../platform/kernel/world.ts";

/** A supervised process. */
export type Part = {
  /** Resolves when it has ended, expectedly or not. */
  readonly ended: Promise<void>;
  readonly stop: () => Promise<void>;
};

export type SupervisedPart<Kind extends Part> = {
  /** As first started; a restarted one is reached at the same address. */
  readonly first: Kind;
  /** As it runs now; null while it does not. */
  readonly current: () => Kind | null;
  /** Resolves with the reason when the part cannot be restarted any more. */
  readonly failed: Promise<string>;
  readonly stop: () => Promise<void>;
};

const attemptsMax = 5;
const pauseMs = 1_000;

/**
 * Starts a part and restarts it one second after an unexpected exit. Rejects when the first start fails; gives up after five
 * failed restarts in a row.
 */
export async function supervise<Kind extends Part>(
  name: string,
  start: (previous: Kind | null) => Promise<Kind>,
  world: World,
): Promise<SupervisedPart<Kind>> {
  const stopping = new AbortController();
  const first = await start(null);
  let current: Kind | null = first;

  const restart = async (previous: Kind): Promise<Kind | null> => {
    for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
      await world.clock.sleep(pauseMs * attempt, stopping.signal);
      if (stopping.signal.aborted) return null;
      try {
        return await start(previous);
      } catch (error) {
        world.logger.warn("restart failed", { part: name, attempt, error: errorMessage(error) });
      }
    }
    return null;
  };
  const isStopping = (): boolean => stopping.signal.aborted;
  const keep = async (): Promise<string> => {
    let part = first;
    for (;;) {
      await part.ended;
      current = null;
      if (isStopping()) return `${name} was stopped`;
      world.logger.warn("part ended, starting it again", { part: name });
      const next = await restart(part);
      if (next === null) return `${name} has ended`;
      part = next;
      current = next;
      if (isStopping()) await next.stop();
    }
  };
  const kept = keep();
  return {
    first,
    current: () => current,
    failed: kept,
    stop: async () => {
      stopping.abort();
      await current?.stop();
      await kept;
    },
  };
}
