import type { Executor } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { Spend } from "./spend.ts";

/**
 * Who hears what becomes of spends, in the very transaction in which it is entered, with the spends' rows locked. Every word
 * comes for some spends of one chain, in id order, each as it is now; a word about a spend of a kind that the listener does not
 * know is none of its business.
 */
export type SpendListener = {
  /** The signer's journal has a transaction for these payouts that the database had forgotten: this spend carries them. */
  readonly adopted: (
    tx: Executor,
    spend: Spend,
    payoutIds: readonly string[],
    now: Instant,
  ) => Promise<void>;
  /** Another transaction of the spend is with the network (`currentTxid`). */
  readonly broadcast: SpendsHandler;
  /** In a block, and succeeded there. */
  readonly included: SpendsHandler;
  /** At the currency's own count. */
  readonly confirmed: SpendsHandler;
  /** Reverted by the chain, or of its tokens nothing arrived, at the currency's own count: it paid nobody, its fee is burnt. */
  readonly failed: SpendsHandler;
  /** Given up before anything was signed; the attempts' `refusal` says why. */
  readonly dropped: SpendsHandler;
  /** Something else used up a claim, at the currency's own count: it can never pay. */
  readonly dead: SpendsHandler;
  /** Its block left the best chain (also one that had reverted it): it is on its way again. */
  readonly orphaned: SpendsHandler;
};

export type SpendsHandler = (tx: Executor, spends: readonly Spend[], now: Instant) => Promise<void>;

/** Tells several listeners, one after the other. */
export function combineListeners(listeners: readonly SpendListener[]): SpendListener {
  const each =
    (word: Exclude<keyof SpendListener, "adopted">): SpendsHandler =>
    async (tx, spends, now) => {
      for (const listener of listeners) await listener[word](tx, spends, now);
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
