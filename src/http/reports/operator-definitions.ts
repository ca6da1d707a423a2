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
  { value: "coins", name: "all unspent coins of the deployment" },
];

export const hotWalletResource = defineResource({
  type: "hot-wallet",
  description: "Funds ready for payouts, in one currency of one chain.",
  attributes: {
    chain,
    purpose: oneOf(purposes),
    address: described(nullable(text), "Null when many addresses hold it."),
    tag: described(
      nullable(text),
      "Where deposits share the account: the tag for money of the operator's own. Null elsewhere.",
    ),
    amount: described(nullable(decimal), "Null while the chain's node does not answer."),
    spendable_amount: described(
      nullable(decimal),
      "Confirmed deeply enough and not used by a transaction. Of an account, what its chain lets it spend: without a reserve, minimum balance or stake.",
    ),
    coins: described(nullable(integer), "Number of coins; null on account chains."),
    ceiling: described(nullable(decimal), "The excess goes to the cold address."),
    awaited_amount: described(decimal, "Needed by held payouts, fees included."),
    unswept_amount: described(
      nullable(decimal),
      "On deposit addresses and worth sweeping; null when there is nothing.",
    ),
    is_short: described(nullable(boolean), "Whether held payouts need more than can be spent."),
  },
  relationships: { currency: { resource: "currency" } },
  filters: { chain: ofChain, purpose: { lookup: "exact", choices: purposes } },
});

export const heldTransferResource = defineResource({
  type: "held-transfer",
  description:
    "A payment or payout of any account that screening or policy holds. Its id is the transfer's, for /transfer/{id}/release/ and /transfer/{id}/return/.",
  attributes: {
    account_id: text,
    account_name: text,
    op_id: described(integer, "Id of the deposit or payout."),
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
  { value: "included", name: "in a block, not confirmed deeply enough" },
];

export const spendResource = defineResource({
  type: "spend",
  description:
    "A transaction of the service's own that is not final: payouts, sweeps, transfers to cold storage.",
  attributes: {
    chain,
    kind: described(
      text,
      "payout, sweep, top_up, consolidation, cold, gap (fills an unused nonce), undelegate",
    ),
    state: oneOf(spendStates),
    attempt_state: described(text, "State of its newest attempt: drafted, signing, signed, ..."),
    attempts: described(integer, "Number of attempts; each pays a higher fee than the one before."),
    broadcasts: described(integer, "How often the newest attempt was broadcast."),
    payouts: described(integer, "Number of payouts in it."),
    txid: nullable(text),
    fee: described(decimal, "Highest fee of the newest attempt."),
    block_height: nullable(integer),
    waits_for: described(text, "What it waits for, as a sentence."),
    is_stuck: described(boolean, "Unconfirmed for longer than the deployment's setting."),
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
  description: "Unfinished payouts of all accounts, by chain and stage.",
  attributes: {
    chain,
    stage: described(
      text,
      "waiting (for approval), held (not drafted yet), blocked (by screening), sending, included",
    ),
    count: integer,
    oldest_at: timestamp,
    oldest_seconds: integer,
  },
  filters: { chain: ofChain },
});

export const positionResource = defineResource({
  type: "position",
  description:
    "The operator's position in a currency from conversions: what wallets sold of it minus what they bought. Its id is the currency's.",
  attributes: {
    amount: described(
      text,
      "Negative when the operator owes the currency. Counted from the moment a price is fixed.",
    ),
    max: described(
      nullable(decimal),
      "Largest position in either direction before conversions are refused; null if unlimited.",
    ),
    is_reached: described(boolean, "Whether the position is at 90 % of the limit or more."),
  },
  relationships: { currency: { resource: "currency" } },
});

export const reconciliationResource = defineResource({
  type: "reconciliation",
  description:
    "The newest comparison of the ledger with the deployment's holdings on the chain, at the same block.",
  attributes: {
    chain,
    height: described(integer, "The block of the comparison."),
    ledger_amount: decimal,
    chain_amount: decimal,
    difference: described(decimal, "Chain minus ledger."),
    checked_at: timestamp,
    differs_since: described(nullable(timestamp), "Null while they agree."),
    is_paused: described(boolean, "Whether the difference paused the chain's payouts."),
    paused_since: nullable(timestamp),
  },
  relationships: { currency: { resource: "currency" } },
  filters: { chain: ofChain },
});

export const unexplainedSpendResource = defineResource({
  type: "unexplained-spend",
  description:
    "A transaction of the deployment's accounts, on a chain or in its mempool, that neither the database nor the signer's journal knows. Payouts of its chain are paused until an operator decides about it (`sluice unexplained`). Its id is the chain, a hyphen, and the transaction id.",
  attributes: {
    chain,
    txid: text,
    block_height: described(nullable(integer), "Null while it is unconfirmed."),
    payments: described(
      {
        type: "array",
        items: {
          type: "object",
          required: ["address", "tag", "currency", "amount"],
          properties: {
            address: described(
              text,
              "Empty where the chain hides receivers: the amount is then the sum of all, zero while it is unknown.",
            ),
            tag: described(
              nullable(text),
              "The tag, memo or comment of the payment. Null without one, and for what an older version recorded.",
            ),
            currency: described(
              nullable(text),
              "Currency code; null for a token that is not listed.",
            ),
            amount: described(text, "In smallest units when the currency is null."),
          },
        },
      },
      "Its recipients, without the deployment's own addresses.",
    ),
    payouts: described(
      { type: "array", items: text },
      "Before the decision: unpaid payouts with the same address and tag, currency and amount. After it: those that it paid.",
    ),
    seen_at: timestamp,
    decided_at: nullable(timestamp),
    reason: described(nullable(text), "Reason of the decision."),
  },
  filters: { chain: ofChain },
});
