import { isCaughtUp } from "../currencies/is-caught-up.ts";
import type { Executor } from "../db/database.ts";
import type { Clock, Instant } from "../kernel/clock.ts";
import {
  type ChainProgress,
  type NodeDoubt,
  readChainProgress,
  readNodeDoubts,
} from "./chain.store.ts";
import type { OperatedChain } from "./operated-chain.ts";

/** A switch that holds payouts back; its scope is `all` or `chain/BTC`. */
export type Stop = {
  readonly scope: string;
  readonly byReconciliation: boolean;
  readonly reason: string;
  readonly since: Instant;
};

export type ChainsContext = {
  readonly db: Executor;
  readonly clock: Clock;
  readonly chains: readonly OperatedChain[];
  /** The switches that are on. */
  readonly readStops: (db: Executor) => Promise<readonly Stop[]>;
};

/** Where a chain stands; members that no tenant need know are null for those. */
export type ChainStanding = {
  readonly chain: OperatedChain;
  /** It was read up to its node's tip not long ago. */
  readonly isUp: boolean;
  readonly lagBlocks: number | null;
  readonly blockTime: Instant | null;
  readonly height: number | null;
  readonly operated: OperatedStanding | null;
};

export type OperatedStanding = {
  readonly nodeHeight: number | null;
  readonly blocksPerSecond: number | null;
  readonly caughtUpAt: Instant | null;
  readonly updatedAt: Instant | null;
  readonly stops: readonly Stop[];
  /** What is held against its nodes, the oldest first. */
  readonly doubts: readonly NodeDoubt[];
};

/** Where each chain of the deployment stands; `isOperator`: for somebody who runs it. */
export async function listChains(
  context: ChainsContext,
  isOperator: boolean,
): Promise<readonly ChainStanding[]> {
  const now = context.clock.now();
  const [progress, stops, doubts] = await Promise.all([
    readChainProgress(context.db, now),
    context.readStops(context.db),
    readNodeDoubts(context.db),
  ]);
  return context.chains.map((chain) => {
    const found = progress.find((one) => one.chain === chain.chain) ?? null;
    const own = stops.filter(({ scope }) => scope === "all" || scope === `chain/${chain.chain}`);
    const ofChain = doubts.filter((doubt) => doubt.chain === chain.chain);
    return standing(chain, found, isOperator ? { stops: own, doubts: ofChain } : null, now);
  });
}

/** Pure. `inside` null: the asker is a tenant. */
function standing(
  chain: OperatedChain,
  progress: ChainProgress | null,
  inside: Pick<OperatedStanding, "stops" | "doubts"> | null,
  now: Instant,
): ChainStanding {
  const { height = null, nodeHeight = null, caughtUpAt = null } = progress ?? {};
  return {
    chain,
    isUp: isCaughtUp(caughtUpAt, now),
    lagBlocks: height === null || nodeHeight === null ? null : Math.max(nodeHeight - height, 0),
    blockTime: progress?.blockTime ?? null,
    height: height === null || height < 0 ? null : height,
    operated:
      inside === null
        ? null
        : {
            nodeHeight,
            blocksPerSecond: progress?.blocksPerSecond ?? null,
            caughtUpAt,
            updatedAt: progress?.updatedAt ?? null,
            ...inside,
          },
  };
}
