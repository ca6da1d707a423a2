import type { Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId, Money } from "../../platform/kernel/money.ts";
import type { Rate } from "../../platform/kernel/rate.ts";
import { divide } from "../../platform/kernel/rounding.ts";

/** The interface's numbers for a transfer's status. */
export const transferStatus = {
  cancelled: -3,
  blocked: -2,
  failed: -1,
  created: 0,
  unconfirmed: 1,
  confirmed: 2,
} as const;

export type TransferStatus = (typeof transferStatus)[keyof typeof transferStatus];

export const operationType = {
  deposit: 1,
  payout: 2,
  transportFee: 9,
  commission: 11,
  topUp: 14,
  dust: 15,
  walletActivation: 19,
  algorandActivation: 49,
} as const;

export type OperationType = (typeof operationType)[keyof typeof operationType];

export const riskStatus = { green: 1, queued: 2, red: 3, notAvailable: 4 } as const;

export type RiskStatus = (typeof riskStatus)[keyof typeof riskStatus];

/**
 * What the money of a transfer counts as: `pending` until its confirmations (or its deposit's amount) are complete,
 * `credited` to the wallet, `refunded` when it was credited only to be paid back, `unresolved` while somebody has to decide, `blocked` by screening, `dust` below the minimum,
 * `misplaced` when it is not the deposit's currency, `none` when nothing arrived after all.
 */
export type Disposition =
  | "pending"
  | "credited"
  | "refunded"
  | "unresolved"
  | "blocked"
  | "dust"
  | "misplaced"
  | "none";

/** Why money is held back. */
export type HoldReason =
  | "overpaid"
  | "late"
  | "second_payment"
  | "partial"
  | "cancelled"
  | "screening";

/**
 * A payment that a user has paid back, wholly or in part: by which payout, how much of it, and what the wallet was credited
 * for that part, units of its currency. The rest was accepted.
 */
export type Refund = {
  readonly at: Instant;
  readonly payoutId: string;
  readonly units: bigint;
  readonly targetUnits: bigint;
};

/** A refund whose payout was canceled or failed: since `undoneAt` the payment waits for a decision again. */
export type UndoneRefund = Refund & { readonly undoneAt: Instant };

/** A transfer as it is stored: the chain's facts first, then what was decided from them. */
export type TransferRecord = {
  readonly accountId: string;
  readonly id: string;
  readonly walletId: string;
  readonly depositId: string;
  /** Null for a token that the deployment does not list; `assetLocator` then names it. */
  readonly currency: CurrencyId | null;
  readonly assetLocator: string | null;
  readonly units: bigint;
  readonly chain: string;
  /** The transaction and its output, and the watch key it paid; null for a payment between our own books, which has no transaction. */
  readonly txid: string | null;
  readonly outputIndex: number | null;
  readonly watchKey: string | null;
  readonly from: readonly string[];
  readonly spends: readonly string[];
  readonly firstSeenAt: Instant;
  /** When it was valued anew, having waited too long for a block; null: valued as of `firstSeenAt`. */
  readonly revaluedAt: Instant | null;
  readonly block: { readonly height: number; readonly hash: string } | null;
  readonly spendableFromHeight: number | null;
  /** Another transaction took its place, or its block is gone for good. */
  readonly isCancelled: boolean;
  /** Price in the wallet's currency; null while none was to be had. */
  readonly rate: Rate | null;
  readonly targetUnits: bigint;
  readonly commissionUnits: bigint;
  readonly targetCommissionUnits: bigint;
  /** How it was valued before a decision valued it anew, by which its deposit's status is judged; null: it was not. */
  readonly judged: { readonly rate: Rate; readonly targetUnits: bigint } | null;
  readonly risk: number | null;
  readonly riskStatus: RiskStatus;
  readonly releasedAt: Instant | null;
  /** The refund that stands. Where a re-org takes the payment itself back, it comes back as refunded. */
  readonly refund: Refund | null;
  /** The newest refund, if it was undone. It stands again if a re-org brings its payout back before anything else is decided. */
  readonly undoneRefund: UndoneRefund | null;

  readonly opType: OperationType;
  readonly status: TransferStatus;
  readonly disposition: Disposition;
  readonly reason: HoldReason | null;
  readonly isConfirmed: boolean;
  readonly confirmedAt: Instant | null;
  readonly isSettled: boolean;
  /** The block for which another node has confirmed it; null: none has. */
  readonly vouchedHash: string | null;
  /** Deep enough to be settled, and another node has yet to confirm it: since when. */
  readonly awaitsOpinionSince: Instant | null;
  readonly dueHeight: number | null;
  readonly revision: number;
  readonly message: string | null;
  readonly userMessage: string | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

/** A payout's progress, shown as a transfer; every payout has one from its creation on. */
export type PayoutTransfer = {
  readonly accountId: string;
  readonly id: string;
  readonly walletId: string;
  readonly payoutId: string;
  /** `topUp`: what an internal payout brought to a wallet of its account. */
  readonly opType: typeof operationType.payout | typeof operationType.topUp;
  readonly status: TransferStatus;
  readonly disposition: "payout";
  readonly currency: CurrencyId;
  /** As asked for. */
  readonly units: bigint;
  /** What the receiver gets: less the fee where that is included. */
  readonly clearedUnits: bigint;
  readonly commissionUnits: bigint;
  /** What the payer is charged for the network's fee. */
  readonly fee: Money;
  readonly chain: string;
  /** Null before it is broadcast, and for ever where it never leaves our own books. */
  readonly txid: string | null;
  readonly block: { readonly height: number; readonly hash: string } | null;
  readonly isConfirmed: boolean;
  readonly confirmedAt: Instant | null;
  readonly isSettled: boolean;
  readonly revision: number;
  readonly risk: number | null;
  readonly riskStatus: RiskStatus;
  readonly releasedAt: Instant | null;
  readonly message: string | null;
  readonly userMessage: string | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

/** Nothing of it stays with the merchant. */
export function isPaidBack({ refund, units }: Pick<TransferRecord, "refund" | "units">): boolean {
  return refund !== null && refund.units === units;
}

/** What of a payment stays with the merchant, and its worth in the wallet's currency by the payment's own price, rounded down. */
export function keptOf({
  refund,
  units,
  targetUnits,
}: Pick<TransferRecord, "refund" | "units" | "targetUnits">): {
  readonly units: bigint;
  readonly targetUnits: bigint;
} {
  if (refund === null) return { units, targetUnits };
  const kept = units - refund.units;
  return { units: kept, targetUnits: divide(targetUnits * kept, units, "down") };
}

/** Paid by a payout of this service, off-chain: there is nothing to wait for. */
export function isOffChain(transfer: Pick<TransferRecord, "txid">): boolean {
  return transfer.txid === null;
}

/** What lists and callbacks show as a transfer: a deposit's or a payout's. */
export type AnyTransfer = TransferRecord | PayoutTransfer;

/** Whether it is a payout's, which has no deposit. */
export function isPayoutTransfer(transfer: AnyTransfer): transfer is PayoutTransfer {
  return transfer.disposition === "payout";
}

/** A transfer, and the tip of its chain from which its confirmations are counted. */
export type TransferWithTip = {
  readonly transfer: AnyTransfer;
  readonly tipHeight: number | null;
};

/** What screening or policy holds, as those see it who operate the deployment. */
export type HeldTransfer = TransferWithTip & {
  readonly accountName: string;
  /** Where it was paid to. */
  readonly address: string | null;
};
