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

const chain = described(text, "Code of the chain's coin.");
const ofChain = exactText(16);

const purposes = [
  { value: "hot", name: "the account that payouts are sent from" },
  { value: "gas", name: "the account that pays for sweeping" },
  { value: "coins", name: "all coins of ours that no block has used" },
];

export const hotWalletResource = defineResource({
  type: "hot-wallet",
  description: "What lies ready to pay from, in one currency of one chain.",
  attributes: {
    chain,
    purpose: oneOf(purposes),
    address: described(nullable(text), "Null where many addresses hold it."),
    amount: described(nullable(decimal), "Null while the chain's node does not say."),
    spendable_amount: described(nullable(decimal), "Deep enough and not used by a transaction."),
    coins: described(nullable(integer), "How many; null for accounts."),
    ceiling: described(nullable(decimal), "What is above it goes to the cold address."),
    awaited_amount: described(decimal, "What held payouts wait for, fees included."),
    unswept_amount: described(
      nullable(decimal),
      "What lies on deposit addresses and could be swept; null where nothing is.",
    ),
    is_short: described(nullable(boolean), "Less can be spent than payouts wait for."),
  },
  relationships: { currency: { resource: "currency" } },
  filters: { chain: ofChain, purpose: { lookup: "exact", choices: purposes } },
  sortable: [],
  defaultSort: "id",
});

export const heldTransferResource = defineResource({
  type: "held-transfer",
  description:
    "A payment or payout of any account that screening or policy holds. Its id is the transfer's, for /transfer/{id}/release/ and /transfer/{id}/return/.",
  attributes: {
    account_id: text,
    account_name: text,
    op_id: described(integer, "Of the deposit or payout."),
    op_type: described(integer, "1 deposit, 2 payout."),
    amount: decimal,
    address: described(nullable(text), "Where it was paid to, or is to be paid to."),
    from_addresses: described({ type: "array", items: text }, "Where a payment came from."),
    txid: nullable(text),
    status: integer,
    message: nullable(text),
    risk: nullable(integer),
    created_at: timestamp,
  },
  relationships: { currency: { resource: "currency", nullable: true } },
  filters: { account: wholeNumber(18) },
  sortable: ["created_at"],
  defaultSort: "created_at",
});

const spendStates = [
  { value: "open", name: "in no block yet" },
  { value: "included", name: "in a block, not deep enough" },
];

export const spendResource = defineResource({
  type: "spend",
  description:
    "A transaction of the service's own that is not at its end: of payouts, of sweeping, to the cold address.",
  attributes: {
    chain,
    kind: described(
      text,
      "payout, sweep, top_up, consolidation, cold, gap (fills an unused nonce), undelegate",
    ),
    state: oneOf(spendStates),
    attempt_state: described(text, "Of its newest transaction: drafted, signing, signed, ..."),
    attempts: described(integer, "Transactions made for it; each pays more than the one before."),
    broadcasts: described(integer, "How often the newest was handed to a node."),
    payouts: described(integer, "How many payouts it carries."),
    txid: nullable(text),
    fee: described(decimal, "Most that the newest transaction can burn."),
    block_height: nullable(integer),
    waits_for: described(text, "In words, for people."),
    is_stuck: described(boolean, "In no block for longer than the deployment's setting."),
    age_seconds: integer,
    created_at: timestamp,
  },
  relationships: { fee_currency: { resource: "currency" } },
  filters: {
    chain: ofChain,
    kind: exactText(16),
    state: { lookup: "exact", choices: spendStates },
    is_stuck: { lookup: "exact", value: "boolean" },
  },
  sortable: ["age_seconds"],
  defaultSort: "-age_seconds",
});

export const payoutQueueResource = defineResource({
  type: "payout-queue",
  description: "Payouts of all accounts that are not at their end, by chain and stage.",
  attributes: {
    chain,
    stage: described(
      text,
      "waiting (for approval), held (nothing chosen to pay it with), blocked (by screening), sending, included",
    ),
    count: integer,
    oldest_at: timestamp,
    oldest_seconds: integer,
  },
  relationships: {},
  filters: { chain: ofChain },
  sortable: [],
  defaultSort: "id",
});

export const positionResource = defineResource({
  type: "position",
  description:
    "The operator's position in a currency from conversions: what wallets gave of it less what they were given. Its id is the currency's.",
  attributes: {
    amount: described(
      text,
      "Negative: what the operator owes of it. Counted from the moment at which a price is fixed.",
    ),
    max: described(
      nullable(decimal),
      "How far it may go in either direction before conversions are refused; null: without bound.",
    ),
    is_reached: described(boolean, "At 90 % of the bound or beyond."),
  },
  relationships: { currency: { resource: "currency" } },
  filters: {},
  sortable: [],
  defaultSort: "id",
});

export const reconciliationResource = defineResource({
  type: "reconciliation",
  description:
    "The newest comparison of the ledger with what the deployment's addresses hold on the chain, at one and the same block.",
  attributes: {
    chain,
    height: described(integer, "The block at which the two were compared."),
    ledger_amount: decimal,
    chain_amount: decimal,
    difference: described(decimal, "Chain less ledger."),
    checked_at: timestamp,
    differs_since: described(nullable(timestamp), "Null while they agree."),
    is_paused: described(boolean, "The chain's payouts are stopped for a difference."),
    paused_since: nullable(timestamp),
  },
  relationships: { currency: { resource: "currency" } },
  filters: { chain: ofChain },
  sortable: [],
  defaultSort: "id",
});

export const unexplainedSpendResource = defineResource({
  type: "unexplained-spend",
  description:
    "A transaction of the deployment's accounts that is on a chain, or waits for a block, although neither the database nor the signer's journal knows it. Payouts of its chain are paused until an operator has decided about it (`sluice unexplained`). Its id is the chain, a hyphen, and the transaction's id.",
  attributes: {
    chain,
    txid: text,
    block_height: described(nullable(integer), "Null while it is in no block."),
    payments: described(
      {
        type: "array",
        items: {
          type: "object",
          required: ["address", "currency", "amount"],
          properties: {
            address: text,
            currency: described(nullable(text), "Alpha code; null for a token that is not listed."),
            amount: described(text, "Smallest units where the currency is null."),
          },
        },
      },
      "Whom it paid, without the deployment's own addresses.",
    ),
    payouts: described(
      { type: "array", items: text },
      "Before the decision, unpaid payouts of the same receiver, currency and amount; after it, those that it paid.",
    ),
    seen_at: timestamp,
    decided_at: nullable(timestamp),
    reason: described(nullable(text), "Of the decision."),
  },
  relationships: {},
  filters: { chain: ofChain },
  sortable: [],
  defaultSort: "id",
});
