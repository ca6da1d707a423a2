import { sealedColumn } from "../../platform/db/sealed-column.ts";
import { beneficiaryTravelRuleContext } from "./beneficiary.ts";

/** The sealed columns of beneficiaries. */
export const beneficiarySealedColumns = [
  sealedColumn({
    table: "beneficiary",
    column: "travel_rule_sealed",
    key: "id",
    keyType: "bigint",
    context: beneficiaryTravelRuleContext,
  }),
];
