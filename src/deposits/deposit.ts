import type { CommissionTerms } from "../ledger/commission.ts";
import type { Instant } from "../platform/kernel/clock.ts";
import type { CurrencyId } from "../platform/kernel/money.ts";
import type { Rate } from "../platform/kernel/rate.ts";
import type { HoldReason } from "./transfers/transfer.ts";

/** The interface's numbers for a deposit's status. */
export const depositStatus = { created: 2, paid: 3, canceled: 4, unresolved: 5 } as const;

export type DepositStatus = (typeof depositStatus)[keyof typeof depositStatus];

export type StatusReason = HoldReason | "expired" | "refunded";

/** A deposit as it is stored. Amounts named target are units of the wallet's currency, source of the payment currency. */
export type Deposit = {
  readonly accountId: string;
  readonly id: string;
  readonly walletId: string;
  readonly walletType: number;
  readonly walletCurrency: CurrencyId;
  /** Payment currency; null until the payer selects one. */
  readonly currency: CurrencyId | null;
  readonly address: string | null;
  /** Empty on chains with one form of address. */
  readonly addressType: string;
  readonly tag: string | null;
  readonly isActive: boolean;
  readonly label: string | null;
  readonly trackingId: string | null;
  readonly confirmationsNeeded: number | null;
  /** Seconds. */
  readonly timeLimit: number | null;
  readonly invoiceUpdatedAt: Instant | null;
  readonly expiresAt: Instant | null;
  readonly callbackUrl: string | null;
  readonly paymentPageId: string;
  readonly paymentPageRedirectUrl: string | null;
  readonly paymentPageButtonText: string | null;
  readonly helpEmail: string | null;
  readonly inaccuracy: bigint | null;
  readonly targetAmountRequested: bigint | null;
  readonly rate: Rate | null;
  /** Null with a rate: it is that of equal currencies, or the account's open locks had reached their limit. */
  readonly rateExpiresAt: Instant | null;
  /** Once the payer has renewed the lock, every lock there was; empty before. */
  readonly rateLocks: readonly RateLock[];
  readonly sourceAmountRequested: bigint | null;
  readonly commissionTerms: CommissionTerms;
  readonly createdByCredentialId: string;
  readonly createdAt: Instant;
  readonly cancelledAt: Instant | null;
  readonly expiryConcludedAt: Instant | null;
  readonly acceptedAt: Instant | null;

  readonly status: DepositStatus;
  readonly statusReason: StatusReason | null;
  readonly statusVersion: number;
  readonly sums: DepositSums;
  /** Incoming units per currency id, wrong-asset arrivals too. */
  readonly assets: Readonly<Record<string, bigint>>;
  /** Of a Merchant wallet's deposit; null: not known, and made from all its transfers. */
  readonly tally: Tally | null;
  readonly updatedAt: Instant;
};

/** A rate at which payments first seen in this time (both ends included) are valued; `from` null: from the beginning. */
export type RateLock = {
  readonly rate: Rate;
  readonly from: Instant | null;
  readonly until: Instant;
};

/** Sums over a deposit's transfers, kept in the transaction that changes them. */
export type DepositSums = {
  readonly targetPaid: bigint;
  readonly targetPaidPending: bigint;
  readonly sourcePaid: bigint;
  readonly sourcePaidPending: bigint;
  /** Credited to the wallet after commission, wallet currency. */
  readonly enrolled: bigint;
  readonly commission: bigint;
  readonly sourceCommission: bigint;
};

export const noSums: DepositSums = {
  targetPaid: 0n,
  targetPaidPending: 0n,
  sourcePaid: 0n,
  sourcePaidPending: 0n,
  enrolled: 0n,
  commission: 0n,
  sourceCommission: 0n,
};

/**
 * What all payments of a deposit add up to, so that the next one is decided without reading them again. The transaction that
 * changes the deposit keeps it.
 */
export type Tally = { readonly standing: Standing; readonly priced: PricedSums };

/** Where the story of a deposit stands (`story.ts`), before a time limit that has run out is applied to it. */
export type Standing = {
  readonly status: DepositStatus;
  readonly reason: StatusReason | null;
  /** Confirmed payments towards an amount that is not reached yet, and their worth in the wallet's currency. */
  readonly counted: number;
  readonly countedUnits: bigint;
  /** Payments that wait for a decision. */
  readonly held: number;
  /** Payments seen in time; of these, those that are not confirmed. */
  readonly inTime: number;
  readonly inTimePending: number;
  /** The payment that was confirmed last. */
  readonly last: PaymentPlace | null;
  /** When a user last decided something. */
  readonly decidedAt: Instant | null;
};

/** What puts confirmed payments in order. */
export type PaymentPlace = {
  readonly confirmedAt: Instant;
  readonly firstSeenAt: Instant;
  readonly id: string;
};

/** Sums of the payments that count and have a price. */
export type PricedSums = {
  /** Worth in the wallet's currency. */
  readonly targetUnits: bigint;
  /** The same at each price, with the units of the payment currency. */
  readonly atRate: readonly PricedSum[];
};

export type PricedSum = {
  readonly rate: Rate;
  readonly units: bigint;
  readonly targetUnits: bigint;
};

export const nothingPriced: PricedSums = { targetUnits: 0n, atRate: [] };
