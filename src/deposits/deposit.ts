import type { Instant } from "../kernel/clock.ts";
import type { CurrencyId } from "../kernel/money.ts";
import type { Rate } from "../kernel/rate.ts";
import type { CommissionTerms } from "../ledger/commission-terms.ts";
import type { HoldReason } from "../transfers/transfer.ts";

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
