import type { Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";

/** A receiver of payouts: an address and the person who owns it. */
export type Beneficiary = {
  readonly accountId: string;
  readonly id: string;
  readonly name: string;
  /** The currency it was created for. It can be paid in every currency of the chain. */
  readonly currency: CurrencyId;
  readonly chain: string;
  /** Canonical spelling. */
  readonly address: string;
  readonly tagType: string | null;
  readonly tag: string | null;
  /** Null: none. */
  readonly travelRuleSealed: Uint8Array | null;
  /** False when the account pays only to whitelisted addresses and this is not one. */
  readonly mayBePaid: boolean;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

/** The context that a beneficiary's travel-rule data is sealed with. */
export function beneficiaryTravelRuleContext(id: string): string {
  return `beneficiary/${id}/travel-rule`;
}
