import { defineDocument } from "../../platform/resources/define-document.ts";
import { nameMax } from "./beneficiary-filters.ts";

/** The body of `POST /beneficiary/`. */
export const newBeneficiaryDocument = defineDocument({
  type: "beneficiary",
  fields: {
    name: { kind: "String", required: true, maxLength: nameMax },
    currency: {
      kind: "Relationship",
      resource: "currency",
      required: true,
      description: "The currency in which the beneficiary is paid. It determines the chain.",
    },
    address: { kind: "String", required: true, maxLength: 128 },
    tag: { kind: "String", maxLength: 64 },
    tag_type: { kind: "String", maxLength: 64 },
    travel_rule_info: {
      kind: "Field",
      checksTexts: true,
      description: "The owner of the address; the same object as for a payout.",
    },
  },
});

/** The body of `PATCH /beneficiary/{id}/`. */
export const beneficiaryPatchDocument = defineDocument({
  type: "beneficiary",
  partial: true,
  fields: {
    name: { kind: "String", required: true, maxLength: nameMax },
    travel_rule_info: { kind: "Field", checksTexts: true, description: "Null removes the data." },
  },
});
