import { isCaughtUp, isRecent } from "../../currencies/is-caught-up.ts";
import { readAdmission } from "../../platform/db/admission.ts";
import type { ClockGuard } from "../../platform/db/clock-guard.ts";
import type { Executor } from "../../platform/db/database.ts";
import { type Clock, type Instant, secondsBetween } from "../../platform/kernel/clock.ts";
import {
  type ChainState,
  type ReconciliationRun,
  readChainStates,
  readIsReadOnly,
  readReconciliationRuns,
} from "./operations.store.ts";

export type ReadinessContext = {
  readonly db: Executor;
  readonly clockGuard: Pick<ClockGuard, "check" | "isWithinBound">;
  readonly clock: Clock;
  readonly enabledChains: ReadonlySet<string>;
  /** Resolves when the signer answers. Absent in processes without a connection to it. */
  readonly askSigner?: () => Promise<unknown>;
};

/** Whether this process can serve. */
export type Serving = {
  readonly ready: boolean;
  readonly database: "ok" | "read_only" | "unavailable";
  /** How far this process's clock is ahead of the database server's; null while the database does not answer. */
  readonly clock_ahead_seconds: number | null;
};

/** How far a chain was read; null if never. */
export type ChainReadiness = {
  readonly ready: boolean;
  readonly height: number | null;
  readonly lag_blocks: number | null;
  readonly caught_up_seconds: number | null;
};

/** The newest complete comparison of ledger and chain; null if there is none. */
export type ReconciliationReadiness = {
  readonly ready: boolean;
  readonly age_seconds: number | null;
  readonly failure: string | null;
};

/** Whether the whole deployment works. */
export type SystemReadiness = Serving & {
  /** False until a worker has verified that the database is the newest one; nothing is issued before that (`admission.ts`). */
  readonly is_admitted: boolean;
  readonly chains: Readonly<Record<string, ChainReadiness>>;
  readonly reconciliation: Readonly<Record<string, ReconciliationReadiness>>;
  /** `unknown`: this process has no connection to the signer; ask a worker. */
  readonly signer: "ok" | "unavailable" | "unknown";
};

/** The longest pause between comparisons is ten minutes. */
const comparedWithinSeconds = 900;

/** Whether the database accepts writes and the clock is within its bound: all that this process needs to serve. */
export async function checkServing({
  db,
  clockGuard,
}: Pick<ReadinessContext, "db" | "clockGuard">): Promise<Serving> {
  const answers = await Promise.all([readIsReadOnly(db), clockGuard.check()]).catch(() => null);
  if (answers === null) return { ready: false, database: "unavailable", clock_ahead_seconds: null };
  const [isReadOnly, ahead] = answers;
  return {
    ready: !isReadOnly && clockGuard.isWithinBound(),
    database: isReadOnly ? "read_only" : "ok",
    clock_ahead_seconds: ahead,
  };
}

/**
 * The same, and whether each chain of the deployment is read to its node's tip and was compared with the ledger, whether deposits
 * and payouts are accepted, and whether the signer answers.
 */
export async function checkSystem(context: ReadinessContext): Promise<SystemReadiness> {
  const { db, clock, enabledChains } = context;
  const [serving, read, signer] = await Promise.all([
    checkServing(context),
    Promise.all([readChainStates(db), readReconciliationRuns(db), readAdmission(db)]).catch(
      () => null,
    ),
    signerState(context),
  ]);
  if (read === null)
    return {
      ...serving,
      ready: false,
      is_admitted: false,
      chains: {},
      reconciliation: {},
      signer,
    };
  const [states, runs, isAdmitted] = read;
  const now = clock.now();
  const chains = Object.fromEntries(
    [...enabledChains].map((chain) => [chain, chainReadiness(chain, states, now)]),
  );
  const reconciliation = Object.fromEntries(
    [...enabledChains].map((chain) => [chain, reconciliationReadiness(chain, runs, now)]),
  );
  const parts = [...Object.values(chains), ...Object.values(reconciliation)];
  return {
    ...serving,
    ready:
      serving.ready && isAdmitted && signer !== "unavailable" && parts.every(({ ready }) => ready),
    is_admitted: isAdmitted,
    chains,
    reconciliation,
    signer,
  };
}

async function signerState({ askSigner }: ReadinessContext): Promise<SystemReadiness["signer"]> {
  if (askSigner === undefined) return "unknown";
  return askSigner().then(
    () => "ok" as const,
    () => "unavailable" as const,
  );
}

function chainReadiness(
  chain: string,
  states: readonly ChainState[],
  now: Instant,
): ChainReadiness {
  const state = states.find((candidate) => candidate.chain === chain);
  const height = state?.height == null ? null : Number(state.height);
  const nodeHeight = state?.node_height == null ? null : Number(state.node_height);
  const caughtUpAt = state?.caught_up_at ?? null;
  return {
    ready: isCaughtUp(caughtUpAt, now),
    height,
    lag_blocks: height === null || nodeHeight === null ? null : Math.max(nodeHeight - height, 0),
    caught_up_seconds: caughtUpAt === null ? null : Math.round(secondsBetween(caughtUpAt, now)),
  };
}

function reconciliationReadiness(
  chain: string,
  runs: readonly ReconciliationRun[],
  now: Instant,
): ReconciliationReadiness {
  const run = runs.find((candidate) => candidate.chain === chain);
  const completedAt = run?.completed_at ?? null;
  const age = completedAt === null ? null : secondsBetween(completedAt, now);
  return {
    ready: completedAt !== null && isRecent(completedAt, now, comparedWithinSeconds),
    age_seconds: age === null ? null : Math.round(age),
    failure: run?.failure ?? null,
  };
}
