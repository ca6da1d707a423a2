import type { Executor } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { Spend } from "./spend.ts";

/**
 * Receives changes of spends, inside the transaction that records them, with the spends' rows locked. Each call is about spends
 * of one chain, in id order, in their new state. A listener ignores kinds of spends that it does not know.
 */
export type SpendListener = {
  /** The signer's journal has a transaction for these payouts that the database had forgotten; this spend carries them now. */
  readonly adopted: (
    tx: Executor,
    spend: Spend,
    payoutIds: readonly string[],
    now: Instant,
  ) => Promise<void>;
  /** Another transaction of the spend was broadcast (`currentTxid`). */
  readonly broadcast: SpendsHandler;
  /** In a block, and succeeded there. */
  readonly included: SpendsHandler;
  /** Final: at the currency's confirmation count. */
  readonly confirmed: SpendsHandler;
  /** Reverted, or delivered no tokens, at the currency's confirmation count: it paid no one and burnt its fee. */
  readonly failed: SpendsHandler;
  /** Given up before anything was signed; the attempts' `refusal` says why. */
  readonly dropped: SpendsHandler;
  /** Something else used a claim, at the currency's confirmation count, or it expired (`expiredBy`): it can never pay. */
  readonly dead: SpendsHandler;
  /** Its block left the best chain, even if it was reverted or had expired in it: it is pending again. */
  readonly orphaned: SpendsHandler;
};

export type SpendsHandler = (tx: Executor, spends: readonly Spend[], now: Instant) => Promise<void>;

/** Calls several listeners, one after the other. */
export function combineListeners(listeners: readonly SpendListener[]): SpendListener {
  const each =
    (name: Exclude<keyof SpendListener, "adopted">): SpendsHandler =>
    async (tx, spends, now) => {
      for (const listener of listeners) await listener[name](tx, spends, now);
    };
  return {
    adopted: async (tx, spend, payoutIds, now) => {
      for (const listener of listeners) await listener.adopted(tx, spend, payoutIds, now);
    },
    broadcast: each("broadcast"),
    included: each("included"),
    confirmed: each("confirmed"),
    failed: each("failed"),
    dropped: each("dropped"),
    dead: each("dead"),
    orphaned: each("orphaned"),
  };
}
