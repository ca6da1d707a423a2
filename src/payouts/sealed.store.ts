import { sealedColumn } from "../platform/db/sealed-column.ts";

/** What a payout's travel-rule data is sealed for: the payout, whose id is reserved before its row is written. */
export function payoutTravelRuleContext(payoutId: string): string {
  return `payout/${payoutId}/travel-rule`;
}

/** What payouts keep sealed. */
export const payoutSealedColumns = [
  sealedColumn({
    table: "payout",
    column: "travel_rule_sealed",
    key: "id",
    keyType: "bigint",
    context: payoutTravelRuleContext,
  }),
];
