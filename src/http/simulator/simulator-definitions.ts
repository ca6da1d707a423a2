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
  { value: "exact", name: "what is missing" },
  { value: "under", name: "half of what is missing" },
  { value: "over", name: "half as much again as asked" },
  { value: "late", name: "after its time limit, which is cut short for it" },
  { value: "second", name: "once more after it is paid" },
  { value: "wrong_token", name: "with another currency of the chain" },
] as const;
const answers = [
  { value: "ok", name: "200" },
  { value: "error", name: "500" },
  { value: "slow", name: "200, after longer than a sender waits" },
  { value: "closed", name: "hangs up" },
] as const;
const fates = [
  { value: "wait", name: "they wait for a block again" },
  { value: "include", name: "they stand in the new blocks" },
] as const;
const kinds = [
  { value: "payment", name: "a deposit was paid" },
  { value: "block", name: "blocks were mined" },
  { value: "reorg", name: "blocks were replaced" },
];

export const actionResource = defineResource({
  type: "simulator-action",
  description: "Something that was done in the simulator of a sandbox; kept while it runs.",
  attributes: {
    kind: oneOf(kinds),
    story: nullable(oneOf(stories)),
    chain: described(text, "Code of the chain's coin."),
    currency: described(nullable(text), "Alpha code of what was paid."),
    amount: nullable(decimal),
    txid: nullable(text),
    height: described(integer, "The chain's newest block afterwards."),
    text: described(text, "What happened, and what comes next."),
    created_at: timestamp,
  },
  relationships: { deposit: { resource: "deposit", nullable: true, includable: false } },
  filters: { deposit: wholeNumber(18), chain: exactText(16) },
  sortable: [],
  defaultSort: "-id",
});

export const receiverResource = defineResource({
  type: "simulator-receiver",
  description:
    "A receiver of callbacks that runs in the sandbox: give its URL as callback_url. It checks both signatures.",
  attributes: {
    url: described(text, "Give it as callback_url."),
    answer: oneOf(answers),
  },
  relationships: {},
  filters: {},
  sortable: [],
  defaultSort: "id",
});

export const deliveryResource = defineResource({
  type: "simulator-delivery",
  description: "A callback that the sandbox's receiver got; the newest hundred are kept.",
  attributes: {
    answer: described(oneOf(answers), "How it was answered."),
    webhook_id: nullable(text),
    is_genuine: described(boolean, "Both signatures hold."),
    fault: described(nullable(text), "Why it is not genuine."),
    object_type: nullable(text),
    object_id: nullable(text),
    body: text,
    created_at: timestamp,
  },
  relationships: {},
  filters: { object_id: wholeNumber(18) },
  sortable: [],
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
      description: "Default: what fits the story. Needed where the deposit asks for no amount.",
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
      description: "What becomes of those of the replaced blocks; default: wait.",
    },
  },
});

export const newReceiver = defineDocument({
  type: "simulator-receiver",
  fields: { answer: { kind: "Choice", choices: answers, required: true } },
});
