import type { Instant } from "../../platform/kernel/clock.ts";
import type { Rate } from "../../platform/kernel/rate.ts";
import type { DepositStatus, StatusReason } from "../deposit-status.ts";

/**
 * Running totals of all payments of a deposit, so that the next payment is decided without reading the others. The transaction
 * that changes the deposit stores them.
 */
export type Tally = { readonly standing: StatusSnapshot; readonly priced: PricedSums };

/** The status of a deposit after its payments so far (`status-replay.ts`), before an expired time limit is applied. */
export type StatusSnapshot = {
  readonly status: DepositStatus;
  readonly reason: StatusReason | null;
  /** Confirmed payments towards an amount that is not reached yet, and their worth in the wallet's currency. */
  readonly counted: number;
  readonly countedUnits: bigint;
  /** Payments on hold. */
  readonly held: number;
  /** Payments on time; of these, the unconfirmed ones. */
  readonly inTime: number;
  readonly inTimePending: number;
  /** The last confirmed payment. */
  readonly last: PaymentPlace | null;
  /** The last decision of a user. */
  readonly decidedAt: Instant | null;
};

/** The order of confirmed payments. */
export type PaymentPlace = {
  readonly confirmedAt: Instant;
  readonly firstSeenAt: Instant;
  readonly id: string;
};

/** Sums of the payments that count and have a price. */
export type PricedSums = {
  /** Value in the wallet's currency. */
  readonly targetUnits: bigint;
  /** The same per price, with the units of the payment currency. */
  readonly atRate: readonly PricedSum[];
};

export type PricedSum = {
  readonly rate: Rate;
  readonly units: bigint;
  readonly targetUnits: bigint;
};

export const nothingPriced: PricedSums = { targetUnits: 0n, atRate: [] };

/** The format of `deposit.tally`: amounts as text, since JSON numbers lose digits, and instants as microseconds. */
export type StoredTally = {
  /** `updated_at` of the row when the tally was written. */
  readonly as_of: number;
  readonly standing: {
    readonly status: number;
    readonly reason: string | null;
    readonly counted: number;
    readonly counted_units: string;
    readonly held: number;
    readonly in_time: number;
    readonly in_time_pending: number;
    readonly last: { confirmed_at: number; first_seen_at: number; id: string } | null;
    readonly decided_at: number | null;
  };
  readonly priced: {
    readonly target_units: string;
    readonly at_rate: readonly {
      readonly units: string;
      readonly target_units: string;
      readonly rate: string;
      readonly rate_exp: number;
    }[];
  };
};

/** Also null if a version of the service without tallies has changed the row since: the totals may differ now. */
export function tallyFromRow(stored: StoredTally | null, updatedAt: Instant): Tally | null {
  if (stored?.as_of !== updatedAt) return null;
  const { standing, priced } = stored;
  return {
    standing: {
      status: standing.status as DepositStatus,
      reason: standing.reason as StatusReason | null,
      counted: standing.counted,
      countedUnits: BigInt(standing.counted_units),
      held: standing.held,
      inTime: standing.in_time,
      inTimePending: standing.in_time_pending,
      last: placeFromRow(standing.last),
      decidedAt: standing.decided_at as Instant | null,
    },
    priced: {
      targetUnits: BigInt(priced.target_units),
      atRate: priced.at_rate.map((sum) => ({
        rate: { units: BigInt(sum.rate), exp: sum.rate_exp },
        units: BigInt(sum.units),
        targetUnits: BigInt(sum.target_units),
      })),
    },
  };
}

function placeFromRow(stored: StoredTally["standing"]["last"]): PaymentPlace | null {
  return stored === null
    ? null
    : {
        confirmedAt: stored.confirmed_at as Instant,
        firstSeenAt: stored.first_seen_at as Instant,
        id: stored.id,
      };
}

/** The tally for the column, written together with `updatedAt`. */
export function tallyToRow(tally: Tally | null, updatedAt: Instant): StoredTally | null {
  if (tally === null) return null;
  const { standing, priced } = tally;
  const { last } = standing;
  return {
    as_of: updatedAt,
    standing: {
      status: standing.status,
      reason: standing.reason,
      counted: standing.counted,
      counted_units: standing.countedUnits.toString(),
      held: standing.held,
      in_time: standing.inTime,
      in_time_pending: standing.inTimePending,
      last:
        last === null
          ? null
          : { confirmed_at: last.confirmedAt, first_seen_at: last.firstSeenAt, id: last.id },
      decided_at: standing.decidedAt,
    },
    priced: {
      target_units: priced.targetUnits.toString(),
      at_rate: priced.atRate.map(({ rate, units, targetUnits }) => ({
        units: units.toString(),
        target_units: targetUnits.toString(),
        rate: rate.units.toString(),
        rate_exp: rate.exp,
      })),
    },
  };
}
