import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { BatchRequest } from "../../payouts/batches/create-batch.ts";
import {
  batchStates,
  createdOf,
  isCanceled,
  type PayoutBatch,
  type ShownBatchRow,
  stateOfBatch,
} from "../../payouts/batches/payout-batch.ts";
import { batchFilters, batchSort } from "../../payouts/batches/payout-batch-filters.ts";
import type { BatchQuote } from "../../payouts/batches/quote-batch.ts";
import { payoutStates } from "../../payouts/payout-state.ts";
import { readTravelRuleField } from "../../payouts/travel-rule/read-travel-rule.ts";
import { receiverNames } from "../../payouts/travel-rule/travel-rule.ts";
import { formatDecimal } from "../../platform/kernel/decimal.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { toOne } from "../../platform/kernel/resource-object.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { defineResource, type ResourceOf } from "../../platform/resources/define-resource.ts";
import {
  boolean,
  decimal,
  described,
  integer,
  type JsonSchema,
  nullable,
  oneOf,
  text,
  timestamp,
} from "../../platform/resources/json-schema.ts";

const faultSchema: JsonSchema = {
  type: "array",
  items: {
    type: "object",
    required: ["row", "column", "detail"],
    properties: { row: integer, column: nullable(text), detail: text },
  },
};

export const batchResource = defineResource({
  type: "payout-batch",
  description:
    "Payouts that were created from one CSV file. A row's payout is created at most once, however often the file is uploaded.",
  attributes: {
    reference: described(text, "The account's own name for the batch."),
    state: oneOf(batchStates),
    rows: described(integer, "Payouts in the file."),
    created: described(integer, "Payouts that exist."),
    states: described(
      { type: "object", additionalProperties: integer },
      "How many of them are in each state of a payout.",
    ),
    amount: described(decimal, "The sum of all rows, in the payment currency."),
    needs_approval: described(
      boolean,
      "Its payouts wait for another member, who approves them together.",
    ),
    created_at: timestamp,
    payouts: described(
      {
        type: "array",
        items: {
          type: "object",
          properties: {
            row: integer,
            payout_id: nullable(text),
            state: nullable(oneOf(payoutStates)),
            amount: nullable(decimal),
            address: nullable(text),
            tag: nullable(text),
            label: nullable(text),
            recipient: described(
              nullable(text),
              "The recipient's name. Null without travel-rule data, and for roles that may not view it.",
            ),
          },
        },
      },
      "Each row of the file with its payout; every member but row is null if it is not created yet. state is canceled without a payout_id if the batch was canceled before. Left out of lists.",
    ),
    commission: described(decimal, "The commission of the payouts that exist. Left out of lists."),
    fees: described(
      decimal,
      "The network fees of the payouts that exist, in fee_currency. Left out of lists.",
    ),
    fee_currency: described(text, "The coin that the network fees are paid in. Left out of lists."),
    faults: described(
      faultSchema,
      "Rows whose payout was refused by this request. After creating, correct the cause and upload the same file again; after approving, approve again. Only in these two responses.",
    ),
  },
  sometimes: ["payouts", "commission", "fees", "fee_currency", "faults"],
  relationships: { wallet: { resource: "wallet" }, currency: { resource: "currency" } },
  filters: batchFilters,
  sortable: batchSort,
  defaultSort: "-created_at",
});

export const previewResource = defineResource({
  type: "payout-batch-preview",
  description: "What the payouts of a CSV file would cost now, and what is wrong with them.",
  attributes: {
    rows: {
      type: "array",
      items: {
        type: "object",
        properties: {
          row: integer,
          address: text,
          tag: nullable(text),
          amount: text,
          label: nullable(text),
          recipient: described(nullable(text), "The name in the recipient's details."),
          fee: described(nullable(decimal), "Null if the row can't be paid."),
          is_internal: nullable(boolean),
        },
      },
    },
    faults: faultSchema,
    amount: described(decimal, "The sum of the amounts."),
    commission: decimal,
    fees: described(decimal, "The sum of the network fees, in fee_currency."),
    fee_currency: described(text, "The coin that the network fees are paid in."),
    is_covered: described(boolean, "Whether the balance covers amounts, commission and fees."),
    needs_approval: boolean,
    travel_rule_from: described(
      nullable(decimal),
      "The amount from which a row must name its recipient. Null: every row must.",
    ),
    existing: described(
      { type: ["object", "null"], properties: { id: text, created: integer } },
      "The batch with this reference and these rows, and how many of its payouts exist: these are not created again.",
    ),
  },
});

/** A batch, with `details` for those attributes that lists leave out. */
export function renderBatch(
  batch: PayoutBatch,
  currencies: CurrencyRegistry,
  details: Partial<ResourceOf<typeof batchResource>["attributes"]> = {},
): ResourceOf<typeof batchResource> {
  return {
    type: "payout-batch",
    id: batch.id,
    attributes: {
      reference: batch.reference,
      state: stateOfBatch(batch),
      rows: batch.rowCount,
      created: createdOf(batch),
      states: batch.counts.states,
      amount: formatDecimal(batch.totalUnits, currencies.get(batch.currency).exp),
      needs_approval: batch.needsApproval,
      created_at: formatTimestamp(batch.createdAt),
      ...details,
    },
    relationships: {
      wallet: toOne("wallet", batch.walletId),
      currency: toOne("currency", batch.currency),
    },
  };
}

type NameOf = (payout: NonNullable<ShownBatchRow["payout"]>) => string | null;

/** The attributes of a batch that lists leave out; `nameOf` reads a recipient's name. */
export function renderRows(
  batch: PayoutBatch,
  rows: readonly ShownBatchRow[],
  currencies: CurrencyRegistry,
  nameOf: NameOf,
) {
  const currency = currencies.get(batch.currency);
  const coin = currencies.get(currency.parent ?? currency.id);
  const stateWithout = isCanceled(batch) ? "canceled" : null;
  const sum = (of: "commissionUnits" | "feeUnits"): bigint =>
    rows.reduce((all, { payout }) => all + (payout?.[of] ?? 0n), 0n);
  return {
    payouts: rows.map(({ number, payout }) => ({
      row: number,
      payout_id: payout?.id ?? null,
      state: payout?.state ?? stateWithout,
      amount: payout === null ? null : formatDecimal(payout.units, currency.exp),
      address: payout?.address ?? null,
      tag: payout?.tag ?? null,
      label: payout?.label ?? null,
      recipient: payout === null ? null : nameOf(payout),
    })),
    commission: formatDecimal(sum("commissionUnits"), currency.exp),
    fees: formatDecimal(sum("feeUnits"), coin.exp),
    fee_currency: coin.alpha,
  };
}

/** What a file would cost now. */
export function renderPreview(
  { currencyId }: BatchRequest,
  quote: BatchQuote,
  existing: PayoutBatch | null,
  currencies: CurrencyRegistry,
): ResourceOf<typeof previewResource> {
  const currency = currencies.get(currencyId);
  const coin = currencies.get(currency.parent ?? currency.id);
  return {
    type: "payout-batch-preview",
    id: "0",
    attributes: {
      rows: quote.rows.map(({ row, calculation, feeUnits }) => ({
        row: row.number,
        address: row.address,
        tag: row.tag,
        amount: row.amount,
        label: row.label,
        recipient: recipientOf(row.travelRule),
        fee: calculation === null ? null : formatDecimal(feeUnits, coin.exp),
        is_internal: calculation === null ? null : calculation.isInternal,
      })),
      faults: quote.faults.map((fault) => ({ ...fault })),
      amount: formatDecimal(quote.totalUnits, currency.exp),
      commission: formatDecimal(quote.commissionUnits, currency.exp),
      fees: formatDecimal(quote.feeUnits, coin.exp),
      fee_currency: coin.alpha,
      is_covered: quote.isCovered,
      needs_approval: quote.needsApproval,
      travel_rule_from:
        quote.travelRuleFromUnits === null
          ? null
          : formatDecimal(quote.travelRuleFromUnits, currency.exp),
      existing: existing === null ? null : { id: existing.id, created: createdOf(existing) },
    },
    relationships: {},
  };
}

/** The name in a row's recipient details; null without details, and while they are faulty. */
function recipientOf(travelRule: JsonObject | null): string | null {
  const { info } = readTravelRuleField(travelRule);
  return info === null ? null : receiverNames(info);
}
