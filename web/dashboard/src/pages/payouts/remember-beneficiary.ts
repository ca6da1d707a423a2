import { api } from "../../api/api.ts";
import { travelRuleOf } from "../../components/travel-rule-person.ts";
import type { PayoutValues } from "./payout-order.ts";

/** Writes the receiver of a payout down, with who it is where that was asked. */
export async function rememberBeneficiary(values: PayoutValues, isNamed: boolean): Promise<void> {
  await api.post("/beneficiary/", {
    attributes: {
      name: values.beneficiaryName.trim(),
      address: values.address.trim(),
      ...(values.tag.trim() === "" ? {} : { tag: values.tag.trim() }),
      ...(isNamed ? { travel_rule_info: travelRuleOf(values) } : {}),
    },
    relationships: { currency: { type: "currency", id: values.currency } },
  });
}
