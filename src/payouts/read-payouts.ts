import { assertMayView } from "../accounts/assert-may-view.ts";
import { type Principal, visibleWallets } from "../accounts/principal.ts";
import type { ListReading } from "../currencies/address-filter.ts";
import type { Executor } from "../platform/db/database.ts";
import type { JsonObject } from "../platform/kernel/json.ts";
import type { ListQuery, Page } from "../platform/kernel/list-query.ts";
import type { Seal } from "../platform/kernel/seal.ts";
import type { AllowlistedPayee } from "./create/payee.ts";
import { listPayeeRows } from "./create/payee-list.store.ts";
import type { Payout } from "./payout.ts";
import { listPayoutRows, readPayoutRow } from "./payout-list.store.ts";
import { payoutTravelRuleContext } from "./sealed.store.ts";
import { mayViewTravelRule, type TravelRuleInfo } from "./travel-rule/travel-rule.ts";

/** One payout of the caller's account, or null. Rejects with noPermissionToView if the caller may not view its wallet. */
export async function readPayout(
  db: Executor,
  principal: Principal,
  id: string,
): Promise<Payout | null> {
  const payout = await readPayoutRow(db, principal.accountId, id);
  if (payout !== null) assertMayView(principal, payout, "payout");
  return payout;
}

/** A page of the payouts that the caller may view. */
export function listPayouts(
  db: Executor,
  principal: Principal,
  query: ListQuery,
  reading: ListReading,
): Promise<Page<Payout>> {
  return listPayoutRows(db, principal.accountId, visibleWallets(principal), query, reading);
}

/** The beneficiary's travel-rule data in the interface's form; null if none was given or the role may not see it. */
export function readTravelRule(
  payout: Pick<Payout, "id" | "travelRuleSealed">,
  principal: Pick<Principal, "role">,
  seal: Seal,
): JsonObject | null {
  if (payout.travelRuleSealed.length === 0) return null;
  if (!mayViewTravelRule(principal)) return null;
  const plain = seal.open(payout.travelRuleSealed, payoutTravelRuleContext(payout.id));
  const info = JSON.parse(new TextDecoder().decode(plain)) as TravelRuleInfo | null;
  return info === null || info.beneficiary.beneficiaryPersons.length === 0 ? null : info;
}

/** A page of the account's allowlist. Only the operator changes it (`sluice payee`); every member may view it. */
export function listPayees(
  db: Executor,
  principal: Principal,
  query: ListQuery,
): Promise<Page<AllowlistedPayee>> {
  return listPayeeRows(db, principal.accountId, query);
}
