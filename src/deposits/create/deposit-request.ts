import type { TravelRuleInfo } from "../../payouts/travel-rule/travel-rule.ts";
import type { Rejection } from "../../platform/kernel/rejection.ts";
import type { CreationKey } from "./creation-key.store.ts";

/** The part of a request that stands in the deposit as it came. Null: not given. */
export type RequestedFields = {
  readonly walletId: string;
  readonly label: string | null;
  readonly trackingId: string | null;
  readonly confirmationsNeeded: number | null;
  readonly timeLimit: number | null;
  readonly callbackUrl: string | null;
  readonly redirectUrl: string | null;
  readonly buttonText: string | null;
  readonly helpEmail: string | null;
};

/** What a client asks for; texts are as they came, decimals as decimal text. Null: not given. */
export type DepositRequest = RequestedFields & {
  readonly currencyId: string | null;
  readonly addressType: string | null;
  readonly inaccuracy: string | null;
  readonly targetAmountRequested: string | null;
  readonly travelRule: TravelRuleInfo | null;
};

/** A request with what could not be read of it; those fields are null in it, the wallet too. */
export type DepositOrder = {
  readonly request: Omit<DepositRequest, "walletId"> & { readonly walletId: string | null };
  readonly faults: readonly Rejection[];
  readonly creationKey: CreationKey | null;
};
