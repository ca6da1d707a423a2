import type { FindRate } from "../../currencies/rates/current-rate.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { Payout } from "../payout.ts";
import type { InternalTarget } from "./internal-target.ts";

/**
 * Credits an internal payout to its receiver, in the transaction that books the payer's side: balances the payer's
 * `transit/C` posting against the receiver, and writes the receiver's transfer, status and events. Runs once per
 * payout, on creation or approval. Conversions use `findRate`, which has the prices at which the payer was charged.
 * The paying side has already locked the deposit's row, if there is one, and then both wallets' balances, so locking
 * them again never waits.
 */
export type PayInternally = (
  tx: Executor,
  payout: Payout,
  target: InternalTarget,
  findRate: FindRate,
  now: Instant,
) => Promise<void>;
