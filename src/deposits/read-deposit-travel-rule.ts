import type { TravelRuleInfo } from "../payouts/travel-rule/travel-rule.ts";
import type { Executor } from "../platform/db/database.ts";
import type { Seal } from "../platform/kernel/seal.ts";
import type { Deposit } from "./deposit.ts";
import { readSealedTravelRule, travelRuleContext } from "./sealed.store.ts";

/** The travel-rule data of a deposit; null: none. The caller checks the permission to view it. */
export async function readDepositTravelRule(
  db: Executor,
  seal: Seal,
  deposit: Pick<Deposit, "accountId" | "id" | "paymentPageId">,
): Promise<TravelRuleInfo | null> {
  const sealed = await readSealedTravelRule(db, deposit);
  if (sealed === null) return null;
  const plain = seal.open(sealed, travelRuleContext(deposit.paymentPageId));
  return JSON.parse(new TextDecoder().decode(plain)) as TravelRuleInfo;
}
