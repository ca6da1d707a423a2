import { assertOperator } from "../../accounts/operator.ts";
import type { Principal } from "../../accounts/principal.ts";
import { isCaughtUp } from "../../currencies/is-caught-up.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { Clock, Instant } from "../../platform/kernel/clock.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import {
  type ChainProgress,
  type NodeDoubt,
  readChainProgress,
  readNodeDoubts,
  readScannedRanges,
  type ScannedRange,
} from "./chain.store.ts";
import type { OperatedChain } from "./operated-chain.ts";

/** A pause of payouts; its scope is `all` or `chain/BTC`. */
export type OperatedPause = {
  readonly kind: "kill_switch" | "restore" | "reconciliation" | "node";
  readonly scope: string;
  readonly reason: string;
  readonly since: Instant | null;
};

export type ChainsContext = {
  readonly db: Executor;
  readonly clock: Clock;
  readonly chains: readonly OperatedChain[];
  /** All current pauses of payouts. */
  readonly listPauses: (db: Executor, now: Instant) => Promise<readonly OperatedPause[]>;
};

/** The state of a chain; members for operators only are null for everyone else. */
export type ChainStanding = {
  readonly chain: OperatedChain;
  /** Read to its node's tip recently. */
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
  readonly pauses: readonly OperatedPause[];
  /** Open doubts about its nodes, oldest first. */
  readonly doubts: readonly NodeDoubt[];
};

/** The state of each chain of the deployment; `isOperator`: for an operator of it. */
export async function listChains(
  context: ChainsContext,
  isOperator: boolean,
): Promise<readonly ChainStanding[]> {
  const now = context.clock.now();
  const [progress, pauses, doubts] = await Promise.all([
    readChainProgress(context.db, now),
    context.listPauses(context.db, now),
    readNodeDoubts(context.db),
  ]);
  return context.chains.map((chain) => {
    const found = progress.find((row) => row.chain === chain.chain) ?? null;
    const own = pauses.filter(({ scope }) => scope === "all" || scope === `chain/${chain.chain}`);
    const ofChain = doubts.filter((doubt) => doubt.chain === chain.chain);
    return standing(chain, found, isOperator ? { pauses: own, doubts: ofChain } : null, now);
  });
}

/** Pure. `inside` is null for callers who are not operators. */
function standing(
  chain: OperatedChain,
  progress: ChainProgress | null,
  inside: Pick<OperatedStanding, "pauses" | "doubts"> | null,
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

export type { ScannedRange };

/** Which heights of a chain were read. Rejects with permissionDenied, notFound for a chain that is not followed. */
export async function listScannedRanges(
  { db, chains }: Pick<ChainsContext, "db" | "chains">,
  principal: Principal,
  chainId: string,
): Promise<readonly ScannedRange[]> {
  await assertOperator(db, principal);
  if (!chains.some(({ chain }) => chain === chainId)) reject("notFound", "No chain has this code.");
  return readScannedRanges(db, chainId);
}
