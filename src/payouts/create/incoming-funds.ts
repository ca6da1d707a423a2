import type { AuditRecord } from "../../accounts/audit/record-audit.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";

/** Funds that are credited to the paying wallet in the transaction that creates the payout, which pays all of them out again. */
export type IncomingFunds = {
  /** In the payment currency. */
  readonly units: bigint;
  /** The deposit that holds them; its row is locked before any balance. Null for funds of no deposit. */
  readonly depositId: string | null;
  /** Locks what else holds them, after the deposit and before any balance. */
  readonly lock: (tx: Executor) => Promise<unknown>;
  /**
   * Books the funds. `targetUnits` is what the payout charges, in the wallet's currency. Called with these
   * rows and the wallet's balance locked; a rejection refuses the payout.
   */
  readonly credit: (
    tx: Executor,
    by: { readonly payoutId: string; readonly targetUnits: bigint },
    now: Instant,
  ) => Promise<void>;
  /** Further audit records besides the payout's own. */
  readonly audits: (now: Instant) => readonly AuditRecord[];
};
