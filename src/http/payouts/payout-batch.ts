import type { Principal } from "../../accounts/principal.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { ApproveContext } from "../../payouts/approve/approve-payout.ts";
import { approveBatch } from "../../payouts/batches/approve-batch.ts";
import { cancelBatch } from "../../payouts/batches/cancel-batch.ts";
import {
  assertKeyUnused,
  assertMayCreateBatches,
  type BatchRequest,
  createBatch,
  previewBatch,
} from "../../payouts/batches/create-batch.ts";
import type { PayoutBatch } from "../../payouts/batches/payout-batch.ts";
import { type BatchContext, type FeeSpeed, feeSpeeds } from "../../payouts/batches/quote-batch.ts";
import { batchRowsMax, type RowFault } from "../../payouts/batches/read-batch-rows.ts";
import { findBatch, findShownRows, listBatches } from "../../payouts/batches/read-batches.ts";
import type { CancelContext } from "../../payouts/cancel-payout.ts";
import { beneficiaryName } from "../../payouts/travel-rule/read-beneficiary.ts";
import { present } from "../../platform/kernel/assert.ts";
import { parseDecimal } from "../../platform/kernel/decimal.ts";
import { mapPage } from "../../platform/kernel/list-query.ts";
import type { Random } from "../../platform/kernel/random.ts";
import { Rejected, reject } from "../../platform/kernel/rejection.ts";
import type { Seal } from "../../platform/kernel/seal.ts";
import { type DocumentReading, defineDocument } from "../../platform/resources/define-document.ts";
import { keyHeader, readOptionalKey } from "../deposits/idempotency-key.ts";
import {
  type ApiRequest,
  actionRoute,
  createRouteWithFaults,
  getRoute,
  listRoute,
  type Route,
} from "../server/route.ts";
import {
  batchResource,
  previewResource,
  renderBatch,
  renderPreview,
  renderRows,
} from "./payout-batch-resource.ts";

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
  readonly approving: ApproveContext & CancelContext;
  readonly seal: Seal;
};

/** `/payout-batch/`: many payouts from one file. */
export function payoutBatchRoutes(context: PayoutBatchContext): readonly Route[] {
  const { db, currencies } = context;
  const shown = async (
    batch: PayoutBatch,
    principal: Principal,
    faults: readonly RowFault[] | null = null,
  ) => {
    const rows = await findShownRows(db, principal.accountId, batch);
    const nameOf = (payout: Parameters<typeof beneficiaryName>[0]): string | null =>
      beneficiaryName(payout, principal, context.seal);
    return renderBatch(batch, currencies, {
      ...renderRows(batch, rows, currencies, nameOf),
      ...(faults === null ? {} : { faults: faults.map((fault) => ({ ...fault })) }),
    });
  };
  return [
    listRoute({
      path: "/payout-batch/",
      summary: "List payout batches",
      resource: batchResource,
      list: async ({ principal }, query) =>
        mapPage(await listBatches(db, principal, query), (batch) => renderBatch(batch, currencies)),
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
    createRouteWithFaults({
      path: "/payout-batch/",
      summary: "Create a payout batch, or continue it",
      description:
        "Checks every row first and refuses the whole file if one is faulty. Then creates each row's payout with an idempotency key of its own. After an interruption, send the same file with the same reference again: only missing payouts are created.",
      resource: batchResource,
      document: batchDocument,
      assertAllowed: assertMayCreateBatches,
      requestHeaders: [
        {
          name: keyHeader,
          required: false,
          description:
            "A UUID4 with hyphens, new for each request. A repeated key returns 409. Without one, the reference still protects every row.",
        },
      ],
      beforeBody: (request) => {
        readOptionalKey(request);
      },
      create: async (request, reading) => {
        const { principal } = request;
        const { order, feesMax, use } = await readOrder(context, request, reading);
        const { batch, faults } = await createBatch(context, principal, order, feesMax, use);
        return { data: await shown(batch, principal, faults) };
      },
    }),
    actionRoute({
      path: "/payout-batch/{id}/approve/",
      summary: "Approve a payout batch",
      description:
        "Approves every waiting payout of the batch, under the rules of POST /payout/{id}/approve/. faults names those that were refused; if all were, the request is. Approve again to continue after an interruption or a refusal.",
      resource: batchResource,
      act: async ({ principal, id }) => {
        const refused = await approveBatch(context.approving, principal, id);
        if (refused === null) return null;
        const batch = await findBatch(db, principal, id);
        return batch === null ? null : shown(batch, principal, refused);
      },
    }),
    actionRoute({
      path: "/payout-batch/{id}/cancel/",
      summary: "Cancel a payout batch",
      description:
        "Cancels every payout of the batch that can still be canceled, all of them or none, under the rules of POST /payout/{id}/cancel/. Payouts that are paid, failed or may be signed stay as they are; rows that have no payout never get one, even if the file is being uploaded. Repeated, it changes nothing.",
      resource: batchResource,
      act: async ({ principal, id }) => {
        if (!(await cancelBatch(context.approving, principal, id))) return null;
        const batch = await findBatch(db, principal, id);
        return batch === null ? null : shown(batch, principal);
      },
    }),
  ];
}

/** The order of a document. Rejects a used key before any fault of a member, as for a payout. */
async function readOrder(
  { db, currencies }: PayoutBatchContext,
  request: ApiRequest,
  { values, faults, fingerprint }: DocumentReading<typeof batchDocument>,
) {
  const { csv, reference, wallet, currency, fees_max } = values;
  const key = readOptionalKey(request);
  const use = key === null ? null : { key, fingerprint };
  if (use !== null)
    await assertKeyUnused(db, request.principal, use, { reference, walletId: wallet });
  const [first, ...others] = faults;
  if (first !== undefined) throw new Rejected(first, ...others);
  const order = requestOf({
    csv: present(csv, "a file that was read"),
    reference: present(reference, "a reference that was read"),
    fee_speed: values.fee_speed,
    wallet: present(wallet, "a wallet that was read"),
    currency: present(currency, "a currency that was read"),
  });
  return {
    order,
    use,
    feesMax: readFees(order, present(fees_max, "fees that were read"), currencies),
  };
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
