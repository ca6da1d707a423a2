import type { FindRate } from "../../currencies/rates/current-rate.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { Payout } from "../payout.ts";
import type { InternalTarget } from "./internal-target.ts";

/**
 * Gives an internal payout to its receiver in the transaction in which it is booked on the payer's side: takes
 * `transit/C -paid` as it stands after that and books `transit/C +paid` against the receiver, with the receiver's transfer,
 * status and events. Called once per payout, at creation or approval. What changes currency does so by `findRate`, which
 * has the prices of the moment at which the payer was charged. Lock order: the paying side has locked the deposit's
 * row (where there is one) and then the balances of both wallets; locking them again waits for nobody.
 */
export type PayInternally = (
  tx: Executor,
  payout: Payout,
  target: InternalTarget,
  findRate: FindRate,
  now: Instant,
) => Promise<void>;
