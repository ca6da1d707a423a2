import { NodeFault } from "./node-error.ts";

type Consult<Ask> = <Answer>(
  work: (ask: Ask) => Promise<Answer>,
  signal: AbortSignal,
) => Promise<Answer>;

/**
 * Consults nodes that have reached a height, and no others: a node that lags knows less of our own transactions than we do, and would offer
 * money and numbers that are used. A node that is behind counts as busy, so another one is asked.
 */
export function excludeBehind<Ask>(
  consult: Consult<Ask>,
  heightOf: (ask: Ask) => Promise<number>,
): {
  readonly consult: Consult<Ask>;
  /** See `ChainWriter.account.excludeBehind`. */
  readonly excludeBehind: (height: number) => void;
} {
  let least = 0;
  return {
    excludeBehind: (height) => {
      least = Math.max(least, height);
    },
    consult: (work, signal) =>
      consult(async (ask) => {
        const reached = least === 0 ? 0 : await heightOf(ask);
        if (reached < least)
          throw new NodeFault(
            "busy",
            `is at block ${reached}, before ${least}, which we have read`,
          );
        return await work(ask);
      }, signal),
  };
}
