import { InvariantViolation } from "../../platform/kernel/assert.ts";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { ImpossibleAnswer, WrongNetwork } from "../port.ts";
import {
  type FollowerContext,
  type FollowerState,
  LeaseLost,
  type Session,
  startSession,
} from "./follower-session.ts";
import { ReorgTooDeep } from "./orphan-newest.ts";
import { takeStep } from "./take-step.ts";

/**
 * Follows one chain until `signal` aborts: block after block, each in one transaction with all that follows from it.
 * Several processes may run it for the same chain; the one with the lease works, the others stand by. A silent node,
 * a node of another network and a lost database are waited out; never does it go on anywhere but at the cursor.
 *
 * Resolves `aborted`, or `stopped` when following on would be guessing: an invariant of ours broke, or a re-org went
 * beyond the chain's limit. It never rejects, so one chain's trouble stays its own.
 */
export async function followChain(
  context: FollowerContext,
  signal: AbortSignal,
): Promise<"aborted" | "stopped"> {
  let failures = 0;
  const onStep = (): void => {
    failures = 0;
  };
  const isAborted = (): boolean => signal.aborted;
  while (!isAborted()) {
    try {
      await followUnderLease(context, signal, onStep);
    } catch (error) {
      if (isAborted()) break;
      if (error instanceof LeaseLost) continue;
      const state = stateAfter(error);
      reportTrouble(context, state, error);
      if (state === "stopped") return "stopped";
      failures += 1;
      await backOff(context, failures, signal);
    }
  }
  return "aborted";
}

/** The lease is given back on the way out, also before waiting out a failure: another process may fare better. */
async function followUnderLease(
  context: FollowerContext,
  signal: AbortSignal,
  onStep: () => void,
): Promise<void> {
  const session = await startSession(context, signal);
  if (session === null) {
    await standBy(context, signal);
    return;
  }
  try {
    while (!session.signal.aborted) {
      const outcome = await takeStep(context, session);
      session.steppedAt = context.clock.now();
      onStep();
      if (outcome === "idle") {
        await context.adapter.reader.waitForBlock(context.settings.idleMs, session.signal);
      }
    }
  } catch (error) {
    throw session.isLost() ? new LeaseLost(context.adapter.chain) : error;
  } finally {
    await releaseLease(context, session);
  }
}

async function standBy(context: FollowerContext, signal: AbortSignal): Promise<void> {
  const { clock, random, settings, adapter, onProgress } = context;
  onProgress({
    chain: adapter.chain,
    state: "standby",
    height: null,
    nodeHeight: null,
    event: null,
    hits: 0,
  });
  await clock.sleep((settings.leaseMs / 4) * (0.75 + random.fraction() / 2), signal);
}

function stateAfter(error: unknown): FollowerState {
  if (error instanceof InvariantViolation || error instanceof ReorgTooDeep) return "stopped";
  return error instanceof WrongNetwork ? "wrongNetwork" : "unavailable";
}

function reportTrouble(context: FollowerContext, state: FollowerState, error: unknown): void {
  const { adapter, logger, onProgress } = context;
  const { chain } = adapter;
  onProgress({ chain, state, height: null, nodeHeight: null, event: null, hits: 0 });
  const fields = { chain, error: errorMessage(error) };
  if (state === "stopped") logger.error("following stopped for good: a person has to look", fields);
  else if (error instanceof ImpossibleAnswer)
    logger.error("following waits: a node's answer was refused", fields);
  else if (error instanceof Unavailable) logger.warn("node or database unavailable", fields);
  else logger.error("following failed, to be tried again", fields);
}

/** Doubles from failure to failure; the jitter keeps processes from knocking on a reviving node together. */
async function backOff(
  { clock, random, settings }: FollowerContext,
  failures: number,
  signal: AbortSignal,
): Promise<void> {
  const delayMs = Math.min(settings.backoffMaxMs, settings.backoffMinMs * 2 ** (failures - 1));
  await clock.sleep(delayMs * (0.5 + random.fraction() / 2), signal);
}

/** A lease that cannot be given back (the database is away) runs out by itself. */
async function releaseLease(context: FollowerContext, session: Session): Promise<void> {
  try {
    await session.end();
  } catch (error) {
    context.logger.warn("lease not released", {
      chain: context.adapter.chain,
      error: errorMessage(error),
    });
  }
}
