import type { TravelRuleInfo } from "../travel-rule/travel-rule.ts";

/**
 * A client's request, with texts as received and decimals as text. Null means not given or malformed; malformed
 * members have a fault of their own.
 */
export type PayoutRequest = {
  readonly walletId: string | null;
  readonly currencyId: string | null;
  readonly amount: string | null;
  readonly feeAmount: string | null;
  readonly address: string | null;
  readonly targetDeposit: string | null;
  readonly targetWallet: string | null;
  /** Pointer to `targetWallet`, which may be an attribute or a relationship. */
  readonly targetWalletPointer: string;
  readonly tag: string | null;
  readonly tagType: string | null;
  readonly isFeeIncluded: boolean;
  readonly forceBlockchain: boolean;
  readonly label: string | null;
  readonly trackingId: string | null;
  readonly confirmationsNeeded: number | null;
  readonly callbackUrl: string | null;
  readonly travelRule: TravelRuleInfo | null;
};

/** JSON pointers into a payout request. */
export const at = {
  attribute: (name: string) => ({ pointer: `/data/attributes/${name}` }),
  wallet: { pointer: "/data/relationships/wallet" },
  currency: { pointer: "/data/relationships/currency" },
} as const;
