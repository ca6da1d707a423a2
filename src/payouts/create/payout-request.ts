import type { TravelRuleInfo } from "../travel-rule/travel-rule.ts";

/**
 * What a client asks for; texts are as they came, decimals as decimal text. Null: not given, or not readable (the fault is then
 * named beside the request).
 */
export type PayoutRequest = {
  readonly walletId: string | null;
  readonly currencyId: string | null;
  readonly amount: string | null;
  readonly feeAmount: string | null;
  readonly address: string | null;
  readonly targetDeposit: string | null;
  readonly targetWallet: string | null;
  /** Where the request named `targetWallet`: it may be an attribute or a relationship. */
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

/** JSON pointers into a request for a payout. */
export const at = {
  attribute: (name: string) => ({ pointer: `/data/attributes/${name}` }),
  wallet: { pointer: "/data/relationships/wallet" },
  currency: { pointer: "/data/relationships/currency" },
} as const;
