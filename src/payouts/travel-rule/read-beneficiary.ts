import type { Executor } from "../../platform/db/database.ts";
import type { Seal } from "../../platform/kernel/seal.ts";
import { readTravelRule } from "../read-payouts.ts";
import { readSealedFor } from "./sealed-for.store.ts";
import { receiverNames, type TravelRuleInfo } from "./travel-rule.ts";

/** The recipient's name in a payout's travel-rule data; null without one, and for a member whose role may not view it. */
export async function readBeneficiaryName(
  { db, seal }: { readonly db: Executor; readonly seal: Seal },
  reader: { readonly accountId: string; readonly memberId: string },
  payoutId: string,
): Promise<string | null> {
  const found = await readSealedFor(db, reader, payoutId);
  return found === null ? null : beneficiaryName({ id: payoutId, ...found }, found, seal);
}

/** The same of a payout that was read for a caller. */
export function beneficiaryName(
  payout: Parameters<typeof readTravelRule>[0],
  viewer: Parameters<typeof readTravelRule>[1],
  seal: Seal,
): string | null {
  const info = readTravelRule(payout, viewer, seal) as TravelRuleInfo | null;
  return info === null ? null : receiverNames(info);
}
