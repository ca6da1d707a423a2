import type { RiskStatus } from "../deposits/transfers/transfer.ts";
import type { Instant } from "../platform/kernel/clock.ts";
import type { CurrencyId } from "../platform/kernel/money.ts";
import type { Rate } from "../platform/kernel/rate.ts";

/** The interface's numbers for a payout's status. */
export const payoutStatus = { waiting: 1, approved: 2, cancelled: 3 } as const;

export type PayoutStatus = (typeof payoutStatus)[keyof typeof payoutStatus];

/**
 * How far a payout is. `waiting` (for approval) and `held`: its money is held and nothing is chosen to pay it with; `sending`:
 * a spend carries it; `included`: in a block; `confirmed`: at the currency's own count; `failed`, `cancelled`: its money was
 * released; `blocked`: by screening or policy, its money still held; `internal`: moved between our own books.
 */
export type PayoutStage =
  | "waiting"
  | "held"
  | "sending"
  | "included"
  | "confirmed"
  | "failed"
  | "blocked"
  | "cancelled"
  | "internal";

/** A payout as it is stored. */
export type Payout = {
  readonly accountId: string;
  readonly id: string;
  readonly walletId: string;
  readonly status: PayoutStatus;
  readonly stage: PayoutStage;
  readonly walletType: number;
  readonly walletCurrency: CurrencyId;
  readonly currency: CurrencyId;
  readonly chain: string;
  /** As asked for, units of the payment currency. */
  readonly units: bigint;
  /** What the receiver gets: less the fee where that is included. */
  readonly paidUnits: bigint;
  /** Charged for the network's fee, units of `feeCurrency`. */
  readonly feeUnits: bigint;
  readonly feeCurrency: CurrencyId;
  /** The wallet that the fee is held in; null: the operator pays it. */
  readonly feeWalletId: string | null;
  readonly isFeeIncluded: boolean;
  /** Units of the payment currency, on top. */
  readonly commissionUnits: bigint;
  /** Ask of the payment currency in the wallet's, of the creation or of the decision that charged it anew. */
  readonly rate: Rate;
  /** Debited from the paying wallet in all, units of its currency. */
  readonly chargedUnits: bigint;
  /** Debited from another wallet for the fee, units of `feeCurrency`; else 0. */
  readonly chargedFeeUnits: bigint;
  readonly address: string | null;
  readonly addressType: string;
  readonly tagType: string | null;
  readonly tag: string | null;
  readonly targetDeposit: string | null;
  readonly targetDepositId: string | null;
  readonly targetWalletId: string | null;
  readonly forceBlockchain: boolean;
  readonly isInternal: boolean;
  readonly label: string | null;
  readonly trackingId: string | null;
  readonly confirmationsNeeded: number | null;
  readonly callbackUrl: string | null;
  readonly travelRuleSealed: Uint8Array;
  readonly isTravelRuleFlagged: boolean;
  /** It pays a payment back, which was credited what it charges. */
  readonly isRefund: boolean;
  readonly revision: number;
  readonly risk: number | null;
  readonly riskStatus: RiskStatus;
  readonly releasedAt: Instant | null;
  readonly message: string | null;
  readonly userMessage: string | null;
  /** Ed25519 over `approvalMessage`; null while waiting and for internal payouts. */
  readonly approval: Uint8Array | null;
  readonly createdByCredentialId: string;
  readonly createdByMemberId: string;
  readonly approvedByMemberId: string | null;
  readonly approvedAt: Instant | null;
  readonly spendId: string | null;
  readonly txid: string | null;
  readonly block: { readonly height: number; readonly hash: string } | null;
  readonly dueHeight: number | null;
  readonly isConfirmed: boolean;
  /** It went above one of the account's limits when it was made. */
  readonly isAboveLimit: boolean;
  /** The row of `transfer` that shows its progress. */
  readonly transferId: string;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};
