import type { AuditRecord } from "../../accounts/audit/record-audit.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";

/** Money that reaches the paying wallet in the very transaction that makes the payout, which pays all of it out again. */
export type IncomingFunds = {
  /** Of the payment currency. */
  readonly units: bigint;
  /** Whose row is locked before any balance is. */
  readonly depositId: string;
  /**
   * Books it, `targetUnits` of the wallet's currency being what the payout charges. Called with the deposit's row and the
   * wallet's balance locked; what it rejects with refuses the payout.
   */
  readonly credit: (
    tx: Executor,
    by: { readonly payoutId: string; readonly targetUnits: bigint },
    now: Instant,
  ) => Promise<void>;
  /** What the audit logs say of it; empty: nothing besides what is said of the payout. */
  readonly audits: (now: Instant) => readonly AuditRecord[];
};
