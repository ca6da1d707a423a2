import { defineDocument } from "../../platform/resources/define-document.ts";
import { protectionKinds } from "./protection-change.ts";

const noteMax = 256;
const labelMax = 64;

const spans = [
  { value: "transaction", name: "one payout" },
  { value: "hour", name: "all payouts of an hour" },
  { value: "day", name: "all payouts of a day" },
] as const;

/** The body of `POST /protection-change/`. */
export const newProtectionChangeDocument = defineDocument({
  type: "protection-change",
  fields: {
    kind: { kind: "Choice", choices: protectionKinds, required: true },
    span: { kind: "Choice", choices: spans, description: "Of a limit and of its removal." },
    amount: {
      kind: "Decimal",
      min: 0,
      maxLength: 36,
      description:
        "Of a limit: payouts above it wait for approval. Of a travel_rule_threshold: payouts from it on need travel-rule data; without it, the configuration's threshold applies again.",
    },
    address: { kind: "String", maxLength: 128, description: "Of a payee_addition." },
    tag: { kind: "String", maxLength: 64 },
    tag_type: { kind: "String", maxLength: 64 },
    label: { kind: "String", maxLength: labelMax, description: "Name of the address." },
    is_enforced: {
      kind: "Boolean",
      description: "Of allowlist: whether the account pays only to its allowlist.",
    },
    note: {
      kind: "String",
      maxLength: noteMax,
      description: "For the member who approves it.",
    },
    currency: {
      kind: "Relationship",
      resource: "currency",
      description:
        "Of a limit and of its removal, and of a travel_rule_threshold; of a payee_addition it determines the chain.",
    },
    wallet: {
      kind: "Relationship",
      resource: "wallet",
      description: "Of a limit and of its removal. Absent: the account's limit.",
    },
    payee: { kind: "Relationship", resource: "payee", description: "Of a payee_removal." },
  },
});
