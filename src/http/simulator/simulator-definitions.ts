import { defineDocument } from "../../platform/resources/define-document.ts";
import { defineResource } from "../../platform/resources/define-resource.ts";
import { exactText, wholeNumber } from "../../platform/resources/filters.ts";
import {
  boolean,
  decimal,
  described,
  integer,
  nullable,
  oneOf,
  text,
  timestamp,
} from "../../platform/resources/json-schema.ts";

const stories = [
  { value: "exact", name: "the missing amount" },
  { value: "under", name: "half of the missing amount" },
  { value: "over", name: "one and a half times the requested amount" },
  { value: "late", name: "after the deposit has expired, which the simulator brings forward" },
  { value: "second", name: "again after it is paid" },
  { value: "wrong_token", name: "with another currency of the chain" },
] as const;
const answers = [
  { value: "ok", name: "200" },
  { value: "error", name: "500" },
  { value: "slow", name: "200, after the sender's timeout" },
  { value: "closed", name: "hangs up" },
] as const;
const fates = [
  { value: "wait", name: "back in the mempool" },
  { value: "include", name: "included in the new blocks" },
] as const;
const kinds = [
  { value: "payment", name: "a deposit was paid" },
  { value: "block", name: "blocks were mined" },
  { value: "reorg", name: "blocks were replaced" },
];

export const actionResource = defineResource({
  type: "simulator-action",
  description: "An action in the sandbox's simulator; kept while the sandbox runs.",
  attributes: {
    kind: oneOf(kinds),
    story: nullable(oneOf(stories)),
    chain: described(text, "Code of the chain's coin."),
    currency: described(nullable(text), "Code of the currency that was paid."),
    amount: nullable(decimal),
    txid: nullable(text),
    height: described(integer, "The chain's newest block afterwards."),
    text: described(text, "What happened and what comes next."),
    created_at: timestamp,
  },
  relationships: { deposit: { resource: "deposit", nullable: true, includable: false } },
  filters: { deposit: wholeNumber(18), chain: exactText(16) },
  defaultSort: "-id",
});

export const receiverResource = defineResource({
  type: "simulator-receiver",
  description:
    "A callback receiver that runs in the sandbox: use its URL as callback_url. It verifies both signatures.",
  attributes: {
    url: described(text, "Use it as callback_url."),
    answer: oneOf(answers),
  },
});

export const deliveryResource = defineResource({
  type: "simulator-delivery",
  description: "A callback that the sandbox's receiver got; the newest hundred are kept.",
  attributes: {
    answer: described(oneOf(answers), "The receiver's response."),
    webhook_id: nullable(text),
    is_genuine: described(boolean, "Both signatures are valid."),
    fault: described(nullable(text), "Why verification failed."),
    object_type: nullable(text),
    object_id: nullable(text),
    body: text,
    created_at: timestamp,
  },
  filters: { object_id: wholeNumber(18) },
  defaultSort: "-id",
});

const chain = {
  kind: "String",
  required: true,
  maxLength: 16,
  description: "Code of the chain's coin.",
} as const;

export const newPayment = defineDocument({
  type: "simulator-payment",
  fields: {
    story: { kind: "Choice", choices: stories, required: true },
    amount: {
      kind: "Decimal",
      description:
        "Default: the amount that fits the story. Required when the deposit requests no amount.",
    },
    deposit: { kind: "Relationship", resource: "deposit", required: true },
  },
});

export const newBlocks = defineDocument({
  type: "simulator-block",
  fields: {
    chain,
    count: { kind: "Integer", min: 1, max: 1000, description: "Default: 1." },
  },
});

export const newReorg = defineDocument({
  type: "simulator-reorg",
  fields: {
    chain,
    depth: { kind: "Integer", min: 1, required: true },
    transactions: {
      kind: "Choice",
      choices: fates,
      description: "What happens to the transactions of the replaced blocks; default: wait.",
    },
  },
});

export const newReceiver = defineDocument({
  type: "simulator-receiver",
  fields: { answer: { kind: "Choice", choices: answers, required: true } },
});
