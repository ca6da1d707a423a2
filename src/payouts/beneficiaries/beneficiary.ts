import type { Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";

/** Somebody an account pays: an address, and who is behind it. */
export type Beneficiary = {
  readonly accountId: string;
  readonly id: string;
  readonly name: string;
  /** What it was written down for; it can be paid in every currency of the chain. */
  readonly currency: CurrencyId;
  readonly chain: string;
  /** Canonical spelling. */
  readonly address: string;
  readonly tagType: string | null;
  readonly tag: string | null;
  /** Null: nothing was given. */
  readonly travelRuleSealed: Uint8Array | null;
  /** False where the account pays to its whitelist only, and this address is not on it. */
  readonly mayBePaid: boolean;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

/** What its travel-rule data is sealed for. */
export function beneficiaryTravelRuleContext(id: string): string {
  return `beneficiary/${id}/travel-rule`;
}
