import {
  defaultFollowerSettings,
  type FollowerContext,
  LeaseLost,
  type Progress,
  type Session,
  startSession,
} from "../../src/chains/follow/follower-session.ts";
import { takeStep } from "../../src/chains/follow/take-step.ts";
import type { ChainReader } from "../../src/chains/port.ts";
import type { Clock } from "../../src/platform/kernel/clock.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { formatTimestamp } from "../../src/platform/kernel/timestamp.ts";
import type { TestDatabase } from "./database.ts";
import { type ManualClock, manualClock } from "./manual-clock.ts";
import { issueAddress, recordingSink } from "./recording-sink.ts";
import { createSimulatedChain, type SimulatedChain } from "./simulated-chain.ts";

export const simulatedCoin = "9001" as CurrencyId;

export type FollowedChain = {
  readonly clock: ManualClock;
  readonly node: SimulatedChain;
  readonly context: FollowerContext;
  readonly reports: readonly Progress[];
  /** Assigns address `index` and returns where to pay. */
  readonly issue: (
    index: number,
  ) => Promise<ReturnType<SimulatedChain["adapter"]["addressing"]["depositAt"]>>;
  /** Follows with a new lease until there is nothing to do, then releases the lease. */
  readonly catchUp: (context?: FollowerContext) => Promise<void>;
};

let chains = 0;

/** A simulated chain with its own name, its follower and the recording sink, on the test's database. */
export function followedChain(
  { db }: Pick<TestDatabase, "db">,
  options: {
    readonly finality?: ChainReader["finality"];
    readonly startHeight?: number | null;
    readonly funding?: "account" | "coins";
  } = {},
): FollowedChain {
  chains += 1;
  const clock = manualClock();
  const node = createSimulatedChain({
    chain: `SIM${chains}`,
    currencies: [simulatedCoin],
    clock,
    ...(options.funding === undefined ? {} : { funding: options.funding }),
    ...(options.finality === undefined ? {} : { finality: options.finality }),
  });
  const reports: Progress[] = [];
  const context: FollowerContext = {
    db,
    clock,
    random: systemRandom,
    logger: silentLogger,
    adapter: node.adapter,
    sink: recordingSink,
    ownTxids: null,
    supplyOf: () => null,
    holder: "first",
    startHeight: options.startHeight === undefined ? 0 : options.startHeight,
    settings: defaultFollowerSettings,
    onProgress: (progress) => {
      reports.push(progress);
    },
  };
  return {
    clock,
    node,
    context,
    reports,
    issue: async (index) => {
      await issueAddress(db, node.adapter, index, formatTimestamp(clock.now()));
      return node.adapter.addressing.depositAt(index, null);
    },
    catchUp: (other = context) => catchUp(other),
  };
}

export async function hold(context: FollowerContext): Promise<Session> {
  const session = await startSession(context, new AbortController().signal);
  if (session === null) throw new LeaseLost("another follower has the lease");
  return session;
}

export async function stepUntilIdle(context: FollowerContext, session: Session): Promise<void> {
  for (let steps = 0; steps < 2000; steps += 1) {
    if ((await takeStep(context, session)) === "idle") return;
  }
  throw new Error("the follower does not come to rest");
}

/** The clock of a hung process: time advances, but no lease is renewed. */
export function hangingClock(clock: ManualClock): Clock {
  return {
    now: clock.now,
    sleep: (_delayMs, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) resolve();
        signal?.addEventListener("abort", () => {
          resolve();
        });
      }),
  };
}

async function catchUp(context: FollowerContext): Promise<void> {
  const session = await hold(context);
  try {
    await stepUntilIdle(context, session);
  } finally {
    await session.end();
  }
}
