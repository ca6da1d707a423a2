import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { formatDecimal } from "../../platform/kernel/decimal.ts";
import { toOne } from "../../platform/kernel/resource-object.ts";
import { formatTimestamp, formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";
import { defineResource, type ResourceOf } from "../../platform/resources/define-resource.ts";
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
import { receiptFilters, receiptSort, shownStates } from "./receipt-filters.ts";
import type { ShownReceipt } from "./receipt-list.store.ts";

/** Money that reached an account that deposits share, under no deposit's tag. */
export const receiptResource = defineResource({
  type: "unattributed",
  description:
    "A payment to an account that deposits share, under no deposit's tag: nobody's money until an operator assigns it to a deposit or returns it.",
  attributes: {
    state: oneOf(shownStates),
    chain: described(text, "Code of the chain's coin."),
    amount: decimal,
    address: described(text, "The account that it reached."),
    tag: described(nullable(text), "Its tag, memo or comment, as the chain shows it."),
    from_addresses: described({ type: "array", items: text }, "Where it came from."),
    txid: text,
    block_height: described(nullable(integer), "Null while a reorg has removed it from the chain."),
    confirmations: integer,
    is_final: described(
      boolean,
      "Whether it has the currency's own confirmations, which a return requires.",
    ),
    received_at: described(timestamp, "The time of its block."),
    account_id: described(
      nullable(text),
      "The account of its deposit, or of the payout that returns it.",
    ),
    account_name: nullable(text),
    decided_at: described(nullable(timestamp), "When it was last assigned or returned."),
    reason: described(nullable(text), "The reason that the operator gave."),
    created_at: timestamp,
    updated_at: timestamp,
  },
  relationships: {
    currency: { resource: "currency" },
    deposit: {
      resource: "deposit",
      nullable: true,
      includable: false,
      description: "The deposit that it was assigned to.",
    },
    payout: {
      resource: "payout",
      nullable: true,
      includable: false,
      description:
        "The newest payout that returns it. It was canceled or failed if the state is waiting.",
    },
  },
  filters: receiptFilters,
  sortable: receiptSort,
  defaultSort: "-created_at",
});

/** A receipt as the API shows it. Confirmations are counted from the best chain's tip. */
export function renderReceipt(
  { receipt, state, accountName, tipHeight }: ShownReceipt,
  currencies: CurrencyRegistry,
): ResourceOf<typeof receiptResource> {
  const { id, currency, block } = receipt;
  const { exp, confirmationBlocks } = currencies.get(currency);
  const confirmations =
    block === null || tipHeight === null ? 0 : Math.max(tipHeight - block.height + 1, 0);
  const isDecided = receipt.state === "assigned" || receipt.state === "returning";
  return {
    type: "unattributed",
    id,
    attributes: {
      state,
      chain: receipt.chain,
      amount: formatDecimal(receipt.units, exp),
      address: receipt.address,
      tag: receipt.tag,
      from_addresses: [...receipt.from],
      txid: receipt.txid,
      block_height: block?.height ?? null,
      confirmations,
      is_final: block !== null && confirmations >= confirmationBlocks,
      received_at: formatTimestamp(receipt.receivedAt),
      account_id: isDecided ? (receipt.owner?.accountId ?? null) : null,
      account_name: isDecided ? accountName : null,
      decided_at: formatTimestampOrNull(receipt.decidedAt),
      reason: receipt.reason,
      created_at: formatTimestamp(receipt.createdAt),
      updated_at: formatTimestamp(receipt.updatedAt),
    },
    relationships: {
      currency: toOne("currency", currency),
      deposit: toOne("deposit", receipt.depositId),
      payout: toOne("payout", receipt.payoutId),
    },
  };
}
