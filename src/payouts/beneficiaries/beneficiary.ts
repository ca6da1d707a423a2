import type { Principal } from "../../accounts/principal.ts";
import {
  bytes,
  flag,
  id,
  instant,
  orNull,
  type RecordOf,
  recordReader,
  text,
} from "../../platform/db/columns.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { Seal } from "../../platform/kernel/seal.ts";
import { mayViewTravelRule, type TravelRuleInfo } from "../travel-rule/travel-rule.ts";

/*
 * The definition of a stored beneficiary: each attribute once, with its column. The type, the select list, the insert and both
 * conversions follow from it.
 */

/** The columns that a store inserts. */
export const beneficiaryFields = {
  accountId: id("account_id"),
  id: id("id"),
  name: text("name"),
  /** The currency it was created for. It can be paid in every currency of the chain. */
  currency: text<CurrencyId>("currency"),
  chain: text("chain"),
  /** Canonical spelling. */
  address: text("address"),
  tagType: orNull(text("tag_type")),
  /** Canonical spelling; also the tag that the given address contained. */
  tag: orNull(text("tag")),
  /** Null if there is none. */
  travelRuleSealed: orNull(bytes("travel_rule_sealed")),
  createdAt: instant("created_at"),
  updatedAt: instant("updated_at"),
};

export const shownFields = {
  ...beneficiaryFields,
  /** False when the account pays only to allowlisted addresses and this is not one. */
  mayBePaid: flag("may_be_paid"),
};

/** A receiver of payouts: an address and the person who owns it. */
export type Beneficiary = RecordOf<typeof shownFields>;

export const beneficiaryFromRow = recordReader(shownFields);

/** The context that a beneficiary's travel-rule data is sealed with. */
export function beneficiaryTravelRuleContext(id: string): string {
  return `beneficiary/${id}/travel-rule`;
}

/** Seals a beneficiary's travel-rule data. */
export function sealTravelRule(seal: Seal, id: string, info: TravelRuleInfo): Uint8Array {
  return seal.seal(
    new TextEncoder().encode(JSON.stringify(info)),
    beneficiaryTravelRuleContext(id),
  );
}

/** A beneficiary's travel-rule data as the interface shapes it; null if there is none, and for roles that may not view it. */
export function openTravelRule(
  { id, travelRuleSealed }: Beneficiary,
  principal: Pick<Principal, "role">,
  seal: Seal,
): JsonObject | null {
  if (travelRuleSealed === null || !mayViewTravelRule(principal)) return null;
  const plain = seal.open(travelRuleSealed, beneficiaryTravelRuleContext(id));
  return JSON.parse(new TextDecoder().decode(plain)) as JsonObject;
}
