import type { OwnArrival, WatchedTransfer } from "../../chains/block-sink.ts";
import type { ChainAdapter } from "../../chains/chain-adapter.ts";
import type { AccountCharge } from "../../chains/port.ts";
import type { OwnSpend } from "./own-spends.ts";

/** The parts of a block that change where our money lies. */
export type BlockFacts = {
  /** Payments to deposits, without transactions that only move our own money. */
  readonly payments: readonly WatchedTransfer[];
  /** All transfers to deposit addresses. */
  readonly outputs: readonly WatchedTransfer[];
  /** Transfers to the treasury's own addresses. */
  readonly arrivals: readonly OwnArrival[];
  /** What the block took from our own accounts besides. */
  readonly charges: readonly AccountCharge[];
  /** Our own spends among the transactions of `outputs` and `arrivals`, by transaction id. */
  readonly ownSpends: ReadonlyMap<string, OwnSpend>;
};

export type FollowedTreasury = Pick<ChainAdapter, "chain" | "keyspace" | "addressing">;

/** Whether the chain is UTXO-based: only these have change addresses. On all other chains an account holds a balance. */
export function holdsCoins({ addressing }: Pick<FollowedTreasury, "addressing">): boolean {
  return addressing.changeAt !== null;
}

/**
 * Whether all deposits share the hot account: what they receive is there at once, so it is held once, however many deposits there
 * are, and nothing is swept.
 */
export function sharesAccount({ addressing }: Pick<FollowedTreasury, "addressing">): boolean {
  return addressing.source === "shared";
}
