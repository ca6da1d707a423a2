import type { OwnArrival, WatchedTransfer } from "../../chains/block-sink.ts";
import type { ChainAdapter } from "../../chains/chain-adapter.ts";
import type { OwnSpend } from "./own-spends.ts";

/** What a block says that concerns where our money lies. */
export type BlockFacts = {
  /** Payments to deposits; without those that only move our own money about. */
  readonly hits: readonly WatchedTransfer[];
  /** All transfers to deposits' addresses. */
  readonly outputs: readonly WatchedTransfer[];
  readonly arrivals: readonly OwnArrival[];
  /** Our own among the transactions that any of them came by, by id. */
  readonly ownSpends: ReadonlyMap<string, OwnSpend>;
};

export type FollowedTreasury = Pick<ChainAdapter, "chain" | "keyspace" | "addressing">;

/** Chains of coins have change; on all others an account holds a balance. */
export function holdsCoins({ addressing }: Pick<FollowedTreasury, "addressing">): boolean {
  return addressing.changeAt !== null;
}
