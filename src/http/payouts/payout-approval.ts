import type { Principal } from "../../accounts/principal.ts";
import { readRefundedDeposits } from "../../deposits/resolve/read-refunded-deposits.ts";
import type { ActionRefusal } from "../../payouts/approve/decide-approval-rights.ts";
import {
  type ApprovalContext,
  listApprovals,
  type PayoutApproval,
  readApproval,
} from "../../payouts/approve/read-approvals.ts";
import { type DecisionPriceContext, decisionPrice } from "../../payouts/approve/revalue-payout.ts";
import { payoutStatuses } from "../../payouts/payout.ts";
import { payoutFilters } from "../../payouts/payout-filters.ts";
import { beneficiaryName } from "../../payouts/travel-rule/read-beneficiary.ts";
import { formatDecimal } from "../../platform/kernel/decimal.ts";
import { toOne } from "../../platform/kernel/resource-object.ts";
import type { Seal } from "../../platform/kernel/seal.ts";
import { formatTimestamp, formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";
import { defineResource, type ResourceOf } from "../../platform/resources/define-resource.ts";
import {
  boolean,
  described,
  type JsonSchema,
  nullable,
  oneOf,
  text,
  timestamp,
} from "../../platform/resources/json-schema.ts";
import { getRoute, listRoute, type Route } from "../server/route.ts";

const actor: JsonSchema = {
  type: "object",
  required: ["id", "name"],
  properties: { id: text, name: text },
};
const refusal: JsonSchema = {
  type: ["object", "null"],
  required: ["reason", "detail"],
  properties: { reason: text, detail: text },
};

const approvalResource = defineResource({
  type: "payout-approval",
  description:
    "Who created a payout, who approved it, and whether the caller may approve or cancel it: the same result as the attempt would have. The id is the payout's.",
  attributes: {
    status: oneOf(payoutStatuses),
    created_by: actor,
    created_at: timestamp,
    recipient: described(
      nullable(text),
      "The recipient's name. Null without travel-rule data, and for roles that may not view it.",
    ),
    refunded_deposit: described(
      nullable(text),
      "The deposit whose payment is refunded. Null if the payout is no refund.",
    ),
    approved_by: nullable(actor),
    approved_at: nullable(timestamp),
    charged: described(text, "What the payout charges its wallet, in the wallet's currency."),
    charged_on_decision: described(
      nullable(text),
      "What it would charge if it were approved or released now. Null: it does not wait for a decision, or no price is current.",
    ),
    rate_on_decision: described(nullable(text), "The rate of that charge."),
    revalued_from: described(
      nullable(timestamp),
      "From then on a decision charges the payout at the current rate. Null: it never does.",
    ),
    may_approve: boolean,
    approve_refusal: described(
      refusal,
      "The reason why not: a code for programs and a sentence for people.",
    ),
    may_cancel: described(
      boolean,
      "Also true for a payout in progress that may not be signed yet: only the attempt shows whether it can still be canceled.",
    ),
    cancel_refusal: refusal,
  },
  relationships: {
    payout: { resource: "payout" },
    wallet: { resource: "wallet" },
    currency: { resource: "currency" },
  },
  filters: {
    id: payoutFilters.id,
    status: payoutFilters.status,
    wallet: payoutFilters.wallet,
    currency: payoutFilters.currency,
    created_at_from: payoutFilters.created_at_from,
    created_at_to: payoutFilters.created_at_to,
  },
  sortable: ["created_at", "updated_at", "status"],
  defaultSort: "-created_at",
});

type ViewContext = DecisionPriceContext & Pick<ApprovalContext, "db"> & { readonly seal: Seal };

/** `GET /payout-approval/` and `/payout/{id}/approval/`: the approval queue. */
export function payoutApprovalRoutes(context: ApprovalContext & ViewContext): readonly Route[] {
  return [
    getRoute({
      path: "/payout/{id}/approval/",
      summary: "Get a payout's approval",
      resource: approvalResource,
      find: async ({ principal, id }) => {
        const approval = await readApproval(context, principal, id);
        if (approval === null) return null;
        const [shown] = await renderApprovals(context, principal, [approval]);
        return shown ?? null;
      },
    }),
    listRoute({
      path: "/payout-approval/",
      summary: "List approvals of payouts",
      description: "`filter[status]=1` returns the payouts that wait for approval.",
      resource: approvalResource,
      list: async ({ principal }, query) => {
        const page = await listApprovals(context, principal, query);
        return { ...page, items: await renderApprovals(context, principal, page.items) };
      },
    }),
  ];
}

async function renderApprovals(
  context: ViewContext,
  principal: Principal,
  approvals: readonly PayoutApproval[],
): Promise<readonly ResourceOf<typeof approvalResource>[]> {
  const { accountId } = principal;
  const refunded = await readRefundedDeposits(
    context.db,
    approvals.map(({ payout }) => ({ accountId, payoutId: payout.id })),
  );
  return Promise.all(
    approvals.map((approval) =>
      renderApproval(context, principal, approval, refunded.get(approval.payout.id) ?? null),
    ),
  );
}

async function renderApproval(
  context: ViewContext,
  principal: Principal,
  approval: PayoutApproval,
  refundedDeposit: string | null,
): Promise<ResourceOf<typeof approvalResource>> {
  const { payout, createdBy, approvedBy } = approval;
  const { exp } = context.currencies.get(payout.walletCurrency);
  const { charge, revaluedFrom } = await decisionPrice(context, payout);
  return {
    type: "payout-approval",
    id: payout.id,
    attributes: {
      status: payout.status,
      created_by: { ...createdBy },
      created_at: formatTimestamp(payout.createdAt),
      recipient: beneficiaryName(payout, principal, context.seal),
      refunded_deposit: refundedDeposit,
      approved_by: approvedBy === null ? null : { ...approvedBy },
      approved_at: formatTimestampOrNull(payout.approvedAt),
      charged: formatDecimal(payout.chargedUnits, exp),
      charged_on_decision: charge === null ? null : formatDecimal(charge.chargedUnits, exp),
      rate_on_decision: charge === null ? null : formatDecimal(charge.rate.units, charge.rate.exp),
      revalued_from: formatTimestampOrNull(revaluedFrom),
      may_approve: approval.whyNotApprove === null,
      approve_refusal: renderRefusal(approval.whyNotApprove),
      may_cancel: approval.whyNotCancel === null,
      cancel_refusal: renderRefusal(approval.whyNotCancel),
    },
    relationships: {
      payout: toOne("payout", payout.id),
      wallet: toOne("wallet", payout.walletId),
      currency: toOne("currency", payout.currency),
    },
  };
}

function renderRefusal(refusal: ActionRefusal | null) {
  return refusal === null ? null : { reason: refusal.reason, detail: refusal.detail };
}
