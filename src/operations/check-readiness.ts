import { isCaughtUp } from "../currencies/is-caught-up.ts";
import { readAdmission } from "../db/admission.ts";
import type { Executor } from "../db/database.ts";
import { type Clock, secondsBetween } from "../kernel/clock.ts";
import { readChainStates } from "./operations.store.ts";

export type ReadinessContext = {
  readonly db: Executor;
  readonly clock: Clock;
  readonly enabledChains: ReadonlySet<string>;
};

/** How far one chain was read; null: it never was. */
export type ChainReadiness = {
  readonly ready: boolean;
  readonly height: number | null;
  readonly lag_blocks: number | null;
  readonly caught_up_seconds: number | null;
};

export type Readiness = {
  readonly ready: boolean;
  /** `unproven`: no worker has found yet that it is the newest one, and nothing is given out (`admission.ts`). */
  readonly database: "ok" | "unproven" | "unavailable";
  readonly chains: Readonly<Record<string, ChainReadiness>>;
};

/** Whether the database answers and may be given out from, and each chain of the deployment is read up to its node's tip. */
export async function checkReadiness(context: ReadinessContext): Promise<Readiness> {
  const { db } = context;
  const read = await Promise.all([readChainStates(db), readAdmission(db)]).catch(() => null);
  if (read === null) return { ready: false, database: "unavailable", chains: {} };
  const [states, isAdmitted] = read;
  const now = context.clock.now();
  const chains = Object.fromEntries(
    [...context.enabledChains].map((chain): [string, ChainReadiness] => {
      const state = states.find((candidate) => candidate.chain === chain);
      const height = state?.height == null ? null : Number(state.height);
      const nodeHeight = state?.node_height == null ? null : Number(state.node_height);
      const caughtUpAt = state?.caught_up_at ?? null;
      const seconds = caughtUpAt === null ? null : secondsBetween(caughtUpAt, now);
      return [
        chain,
        {
          ready: isCaughtUp(caughtUpAt, now),
          height,
          lag_blocks:
            height === null || nodeHeight === null ? null : Math.max(nodeHeight - height, 0),
          caught_up_seconds: seconds === null ? null : Math.round(seconds),
        },
      ];
    }),
  );
  return {
    ready: isAdmitted && Object.values(chains).every((chain) => chain.ready),
    database: isAdmitted ? "ok" : "unproven",
    chains,
  };
}
