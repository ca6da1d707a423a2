import type { Payment } from "../../chains/paying-port.ts";
import type { Payout } from "../payout.ts";
import type { InternalTarget } from "./internal-target.ts";

/** Everything about a new payout that follows from the request. Ids, approval and seal are added when it is written. */
export type PayoutTerms = Pick<
  Payout,
  | "accountId"
  | "walletId"
  | "walletType"
  | "walletCurrency"
  | "currency"
  | "chain"
  | "units"
  | "paidUnits"
  | "feeUnits"
  | "feeCurrency"
  | "feeWalletId"
  | "isFeeIncluded"
  | "commissionUnits"
  | "rate"
  | "chargedUnits"
  | "chargedFeeUnits"
  | "address"
  | "addressType"
  | "tagType"
  | "tag"
  | "targetDeposit"
  | "targetDepositId"
  | "targetWalletId"
  | "forceBlockchain"
  | "isInternal"
  | "label"
  | "trackingId"
  | "confirmationsNeeded"
  | "callbackUrl"
  | "isTravelRuleFlagged"
  | "riskStatus"
  | "createdByCredentialId"
  | "createdByMemberId"
>;

/** Where the funds go: inside the service or on the chain. */
export type Route =
  | { readonly kind: "internal"; readonly target: InternalTarget }
  | { readonly kind: "chain"; readonly destination: Payment["destination"] };
