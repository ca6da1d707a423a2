import { InvariantViolation } from "../../platform/kernel/assert.ts";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import { isDatabaseAway, Unavailable } from "../../platform/kernel/unavailable.ts";
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
 * Follows one chain until `signal` aborts: block after block, each in one transaction with everything derived from it.
 * Several processes may run it for the same chain; the one with the lease works, the others stand by. It retries unreachable
 * nodes, nodes of another network and a lost database, and always continues at the cursor.
 *
 * Resolves with `aborted`, or with `stopped` when continuing would be unsafe: an invariant broke, or a reorg exceeded the
 * chain's limit. It never rejects, so one chain's trouble does not affect others.
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

/** The lease is released on the way out, also before backing off: another process may do better. */
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
      const isHeld = await context.isHeld?.(context.db, context.adapter.chain);
      const outcome = isHeld === true ? hold(context, session) : await takeStep(context, session);
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

/** What was read ahead, and the tip, are read again afterwards: the network may have chosen another branch. */
function hold({ adapter, onProgress }: FollowerContext, session: Session): "idle" {
  session.tip = null;
  session.ahead.drop();
  const { height } = session.cursor;
  onProgress({
    chain: adapter.chain,
    state: "held",
    height,
    nodeHeight: null,
    event: null,
    hits: 0,
  });
  return "idle";
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
  if (state === "stopped") logger.error("following stopped: operator action required", fields);
  else if (error instanceof ImpossibleAnswer)
    logger.error("following waits: impossible answer from a node", fields);
  else if (isDatabaseAway(error)) logger.debug("the database is away", fields);
  else if (error instanceof Unavailable) logger.warn("node unavailable", fields);
  else logger.error("following failed, retrying", fields);
}

/** Doubles with each failure; the jitter keeps processes from retrying at the same time. */
async function backOff(
  { clock, random, settings }: FollowerContext,
  failures: number,
  signal: AbortSignal,
): Promise<void> {
  const delayMs = Math.min(settings.backoffMaxMs, settings.backoffMinMs * 2 ** (failures - 1));
  await clock.sleep(delayMs * (0.5 + random.fraction() / 2), signal);
}

/** A lease that cannot be released (the database is away) expires by itself. */
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
