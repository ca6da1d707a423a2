import type { Principal } from "../../accounts/principal.ts";
import type { FindRate } from "../../currencies/rates/current-rate.ts";
import type { PositionLimits } from "../../ledger/position-limits.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { Random } from "../../platform/kernel/random.ts";
import type { Payout, PayoutTerms } from "../payout.ts";
import type { BuildContext } from "../send/build-payout.ts";
import type { TravelRuleInfo } from "../travel-rule/travel-rule.ts";
import type { KeyUse, UsedKey } from "./create.store.ts";
import type { IncomingFunds } from "./incoming-funds.ts";
import type { PayInternally } from "./internal-payment.ts";
import type { InternalTarget } from "./internal-target.ts";
import type { ListedDestination, PayoutLimit } from "./payout-protection.store.ts";

/** A payout that passed all checks, to be written if its funds and key are still available. */
export type NewPayout = {
  readonly terms: PayoutTerms;
  readonly use: KeyUse;
  /** Null for payouts on the chain. */
  readonly target: InternalTarget | null;
  /** The limits as they were read before the fee was quoted. */
  readonly limits: readonly PayoutLimit[];
  /** What the allowlist contained then, if the account required it; null for what needs no allowlist. */
  readonly listed: ListedDestination | null;
  /** True if the creator's payouts always need approval. */
  readonly needsApproval: boolean;
  readonly travelRule: TravelRuleInfo;
  /** Null if the payout is paid from the wallet's existing balance. */
  readonly incoming: IncomingFunds | null;
  /** Uses the prices at which the payout was charged. */
  readonly findRate: FindRate;
  /** Who created it in the dashboard; null for a program. */
  readonly person: Principal | null;
  /** The span of the request (W3C `traceparent`); null unless tracing is configured. */
  readonly traceparent?: string | null;
  /** It waits for approval with the rest of its batch, of which members were notified. */
  readonly waitsInBatch?: boolean;
  /** The sum of its batch exceeds a limit, and so counts as one payout. */
  readonly isBatchAboveLimit?: boolean;
};

export type WriteOutcome =
  | { readonly kind: "created"; readonly payout: Payout }
  | { readonly kind: "keyUsed"; readonly used: UsedKey }
  | { readonly kind: "insufficientFunds" }
  | { readonly kind: "trackingIdUsed" }
  /** Limits or allowlist have changed since they were read: decide again. */
  | { readonly kind: "protectionChanged" };

export type WriteContext = BuildContext & {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly payInternally: PayInternally;
  readonly positions: PositionLimits;
};
