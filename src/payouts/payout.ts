import type { RiskStatus } from "../deposits/transfers/transfer.ts";
import type { Instant } from "../platform/kernel/clock.ts";
import type { CurrencyId } from "../platform/kernel/money.ts";
import type { Rate } from "../platform/kernel/rate.ts";

/** The interface's payout statuses. */
export const payoutStatus = { waiting: 1, approved: 2, canceled: 3 } as const;

export const payoutStatuses = [
  { value: payoutStatus.waiting, name: "Waiting for approve" },
  { value: payoutStatus.approved, name: "Approved" },
  { value: payoutStatus.canceled, name: "Canceled" },
] as const;

export type PayoutStatus = (typeof payoutStatus)[keyof typeof payoutStatus];

/**
 * A payout's progress. `waiting` (for approval) and `held`: funds are held, no transaction yet. `sending`: a spend
 * carries it. `included`: in a block. `confirmed`: at the currency's own count. `failed`, `cancelled`: funds
 * released. `blocked` by screening or policy: funds still held. `internal`: moved inside the service.
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

/** A payout as stored. */
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
  /** The requested amount, in the payment currency. */
  readonly units: bigint;
  /** What the receiver gets: the amount less an included fee. */
  readonly paidUnits: bigint;
  /** The network fee charged, in `feeCurrency`. */
  readonly feeUnits: bigint;
  readonly feeCurrency: CurrencyId;
  /** The wallet that pays the fee; null if the operator pays it. */
  readonly feeWalletId: string | null;
  readonly isFeeIncluded: boolean;
  /** Added on top, in the payment currency. */
  readonly commissionUnits: bigint;
  /** Ask of the payment currency in the wallet's, as of creation or of the decision that revalued it. */
  readonly rate: Rate;
  /** The total debit of the paying wallet, in its currency. */
  readonly chargedUnits: bigint;
  /** The fee debited from another wallet, in `feeCurrency`; otherwise 0. */
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
  /** It refunds a payment, which was credited exactly what it charges. */
  readonly isRefund: boolean;
  readonly revision: number;
  readonly risk: number | null;
  readonly riskStatus: RiskStatus;
  readonly releasedAt: Instant | null;
  readonly message: string | null;
  readonly userMessage: string | null;
  /** Ed25519 signature over `approvalMessage`; null while waiting and for internal payouts. */
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
  /** It exceeded one of the account's limits when it was created. */
  readonly isAboveLimit: boolean;
  /** The `transfer` row that shows its progress. */
  readonly transferId: string;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};
