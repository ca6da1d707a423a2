import { sealedColumn } from "../platform/db/sealed-column.ts";

/** Encryption context of a payout's travel-rule data. The payout's id is reserved before its row is written. */
export function payoutTravelRuleContext(payoutId: string): string {
  return `payout/${payoutId}/travel-rule`;
}

/** The encrypted columns of payouts. */
export const payoutSealedColumns = [
  sealedColumn({
    table: "payout",
    column: "travel_rule_sealed",
    key: "id",
    keyType: "bigint",
    context: payoutTravelRuleContext,
  }),
];
