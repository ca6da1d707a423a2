import type { Principal } from "../../accounts/principal.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { ApproveContext } from "../../payouts/approve/approve-payout.ts";
import { approveBatch } from "../../payouts/batches/approve-batch.ts";
import {
  assertMayCreateBatches,
  type BatchRequest,
  createBatch,
  previewBatch,
} from "../../payouts/batches/create-batch.ts";
import {
  batchStates,
  createdOf,
  type PayoutBatch,
  stateOfBatch,
} from "../../payouts/batches/payout-batch.ts";
import { batchFilters, batchSort } from "../../payouts/batches/payout-batch-filters.ts";
import {
  type BatchContext,
  type BatchQuote,
  type FeeSpeed,
  feeSpeeds,
} from "../../payouts/batches/quote-batch.ts";
import { batchRowsMax, type RowFault } from "../../payouts/batches/read-batch-rows.ts";
import { findBatch, findBatchPayouts, listBatches } from "../../payouts/batches/read-batches.ts";
import { payoutStates } from "../../payouts/payout-state.ts";
import { formatDecimal, parseDecimal } from "../../platform/kernel/decimal.ts";
import { mapPage } from "../../platform/kernel/list-query.ts";
import type { Random } from "../../platform/kernel/random.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { toOne } from "../../platform/kernel/resource-object.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { defineDocument } from "../../platform/resources/define-document.ts";
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
import { actionRoute, createRoute, getRoute, listRoute, type Route } from "../server/route.ts";

const faultSchema: JsonSchema = {
  type: "array",
  items: {
    type: "object",
    required: ["row", "column", "detail"],
    properties: { row: integer, column: nullable(text), detail: text },
  },
};

const batchResource = defineResource({
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
          },
        },
      },
      "Each row of the file with its payout, or null if it is not created yet. Left out of lists.",
    ),
    faults: described(
      faultSchema,
      "Rows whose payout was refused now: correct the cause and upload the same file again. Only in the response of the creation.",
    ),
  },
  sometimes: ["payouts", "faults"],
  relationships: { wallet: { resource: "wallet" }, currency: { resource: "currency" } },
  filters: batchFilters,
  sortable: batchSort,
  defaultSort: "-created_at",
});

const previewResource = defineResource({
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
          amount: text,
          label: nullable(text),
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
    existing: described(
      { type: ["object", "null"], properties: { id: text, created: integer } },
      "The batch with this reference and these rows, and how many of its payouts exist: these are not created again.",
    ),
  },
});

const members = {
  csv: {
    kind: "String",
    required: true,
    description: `A CSV file with the columns address and amount, and optionally tag, tag_type, label, tracking_id, first_name, last_name, company, country and street. At most ${batchRowsMax} payouts.`,
  },
  reference: {
    kind: "String",
    maxLength: 64,
    required: true,
    description:
      'Your name for the batch, such as "Salaries 2026-01". The same file with it continues an interrupted batch.',
  },
  fee_speed: { kind: "Choice", choices: feeSpeeds, description: "Default: medium." },
  wallet: { kind: "Relationship", resource: "wallet", required: true },
  currency: { kind: "Relationship", resource: "currency", required: true },
} as const;

const previewDocument = defineDocument({
  type: "payout-batch-preview",
  fields: { ...members, reference: { kind: "String", maxLength: 64 } },
});

const batchDocument = defineDocument({
  type: "payout-batch",
  fields: {
    ...members,
    fees_max: {
      kind: "Decimal",
      min: 0,
      maxLength: 36,
      required: true,
      description: "The highest sum of network fees that you accept, in the chain's coin.",
    },
  },
});

export type PayoutBatchContext = BatchContext & {
  readonly random: Random;
  readonly currencies: CurrencyRegistry;
  readonly approving: ApproveContext;
};

/** `/payout-batch/`: many payouts from one file. */
export function payoutBatchRoutes(context: PayoutBatchContext): readonly Route[] {
  const { db, currencies } = context;
  const shown = async (
    batch: PayoutBatch,
    { accountId }: Pick<Principal, "accountId">,
    faults?: readonly RowFault[],
  ) => render(batch, currencies, await findBatchPayouts(db, accountId, batch), faults);
  return [
    listRoute({
      path: "/payout-batch/",
      summary: "List payout batches",
      resource: batchResource,
      list: async ({ principal }, query) =>
        mapPage(await listBatches(db, principal, query), (batch) => render(batch, currencies)),
    }),
    getRoute({
      path: "/payout-batch/{id}/",
      summary: "Get a payout batch with its payouts",
      resource: batchResource,
      find: async ({ principal, id }) => {
        const batch = await findBatch(db, principal, id);
        return batch === null ? null : shown(batch, principal);
      },
    }),
    actionRoute({
      path: "/payout-batch/preview/",
      summary: "Preview a payout batch",
      description: "Checks every row and quotes the fees. Writes nothing.",
      resource: previewResource,
      document: previewDocument,
      throttle: "calculate",
      act: async ({ principal }, input) => {
        const request = requestOf({ ...input, reference: input.reference ?? "" });
        const { quote, existing } = await previewBatch(context, principal, request);
        return renderPreview(request, quote, existing, currencies);
      },
    }),
    createRoute({
      path: "/payout-batch/",
      summary: "Create a payout batch, or continue it",
      description:
        "Checks every row first and refuses the whole file if one is faulty. Then creates each row's payout with an idempotency key of its own. After an interruption, send the same file with the same reference again: only missing payouts are created.",
      resource: batchResource,
      document: batchDocument,
      assertAllowed: assertMayCreateBatches,
      create: async ({ principal }, input) => {
        const request = requestOf(input);
        const feesMax = readFees(request, input.fees_max, currencies);
        const { batch, faults } = await createBatch(context, principal, request, feesMax);
        return shown(batch, principal, faults);
      },
    }),
    actionRoute({
      path: "/payout-batch/{id}/approve/",
      summary: "Approve a payout batch",
      description:
        "Approves every waiting payout of the batch, under the rules of POST /payout/{id}/approve/. Approve again to continue after an interruption.",
      resource: batchResource,
      act: async ({ principal, id }) => {
        const refused = await approveBatch(context.approving, principal, id);
        if (refused === null) return null;
        const batch = await findBatch(db, principal, id);
        return batch === null ? null : shown(batch, principal);
      },
    }),
  ];
}

function requestOf(input: {
  readonly csv: string;
  readonly reference: string;
  readonly fee_speed?: FeeSpeed | null | undefined;
  readonly wallet: string;
  readonly currency: string;
}): BatchRequest {
  const { csv: file, reference, wallet: walletId, currency: currencyId } = input;
  return { file, reference, walletId, currencyId, speed: input.fee_speed ?? "medium" };
}

/** The accepted fees in units of the chain's coin. */
function readFees(
  { currencyId }: BatchRequest,
  amount: string,
  currencies: CurrencyRegistry,
): bigint {
  const currency = currencies.find(currencyId);
  // The unknown currency is refused where the batch is quoted.
  if (currency === null) return 0n;
  const coin = currencies.get(currency.parent ?? currency.id);
  const parsed = parseDecimal(amount, coin.exp);
  if (parsed.kind === "units") return parsed.units;
  reject("invalidValue", `${coin.alpha} has at most ${coin.exp} decimals.`, {
    pointer: "/data/attributes/fees_max",
  });
}

function render(
  batch: PayoutBatch,
  currencies: CurrencyRegistry,
  payouts: Awaited<ReturnType<typeof findBatchPayouts>> | null = null,
  faults: readonly RowFault[] | null = null,
): ResourceOf<typeof batchResource> {
  return {
    type: "payout-batch",
    id: batch.id,
    attributes: {
      reference: batch.reference,
      state: stateOfBatch(batch),
      rows: batch.rowCount,
      created: createdOf(batch),
      states: batch.counts,
      amount: formatDecimal(batch.totalUnits, currencies.get(batch.currency).exp),
      needs_approval: batch.needsApproval,
      created_at: formatTimestamp(batch.createdAt),
      ...(payouts === null
        ? {}
        : {
            payouts: payouts.map(({ number, payoutId, state }) => ({
              row: number,
              payout_id: payoutId,
              state,
            })),
          }),
      ...(faults === null ? {} : { faults: faults.map((fault) => ({ ...fault })) }),
    },
    relationships: {
      wallet: toOne("wallet", batch.walletId),
      currency: toOne("currency", batch.currency),
    },
  };
}

function renderPreview(
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
        amount: row.amount,
        label: row.label,
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
      existing: existing === null ? null : { id: existing.id, created: createdOf(existing) },
    },
    relationships: {},
  };
}
