import { assertOperator } from "../../accounts/operator.ts";
import { actOnOwnAccount } from "../../accounts/operator-act.ts";
import type { ListReading } from "../../currencies/address-filter.ts";
import type { DepositContext } from "../../deposits/payments/reconsider.ts";
import { assignReceipt } from "../../deposits/unattributed/assign-receipt.ts";
import {
  assignableDepositResource,
  listAssignable,
  renderAssignable,
} from "../../deposits/unattributed/assignable-deposit.ts";
import { listReceipts, readReceipt } from "../../deposits/unattributed/read-receipts.ts";
import { receiptResource, renderReceipt } from "../../deposits/unattributed/receipt-resource.ts";
import {
  creditReturn,
  findReturnable,
  lockForReturn,
} from "../../deposits/unattributed/return-receipt.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { mapPage } from "../../platform/kernel/list-query.ts";
import { Rejected, reject } from "../../platform/kernel/rejection.ts";
import { defineDocument } from "../../platform/resources/define-document.ts";
import { pageOfHits, searchedText } from "../jsonapi/text-search.ts";
import { calculationDefinition } from "../payouts/payout-calculation.ts";
import type { PayoutCreateContext } from "../payouts/payout-create.ts";
import { forOperators, reasonField } from "../reports/operator-act.ts";
import { actionRouteWithFaults, getRoute, listRoute, type Route } from "../server/route.ts";
import { readKey } from "./idempotency-key.ts";
import {
  createRefundPayout,
  quoteRefundPayout,
  refundFields,
  refundKeyHeader,
} from "./refund-request.ts";

const assignDocument = defineDocument({
  type: "unattributed",
  fields: {
    deposit: {
      kind: "Relationship",
      resource: "deposit",
      required: true,
      description: "A deposit of any account, paid at the same account in the same currency.",
    },
    reason: reasonField,
  },
});

const returnDocument = defineDocument({
  type: "unattributed",
  fields: {
    reason: reasonField,
    ...refundFields,
    address: {
      ...refundFields.address,
      description: "Default: the address that sent it, if the chain names exactly one.",
    },
  },
});

const quoteDocument = defineDocument({
  type: "payout-calculation",
  fields: {
    to_address: { kind: "String", maxLength: 128, required: true },
    tag: { kind: "String", maxLength: 64 },
    tag_type: { kind: "String", maxLength: 64 },
  },
});

type Context = DepositContext &
  ListReading & {
    readonly db: Database;
    readonly clock: Clock;
  };

/** `/unattributed/`: money that reached shared accounts under no deposit's tag, for operators of the deployment. */
export function unattributedRoutes(
  context: Context,
  payouts: PayoutCreateContext,
): readonly Route[] {
  const { db, currencies } = context;
  return [
    listRoute({
      path: "/unattributed/",
      summary: "List unattributed funds",
      description: forOperators,
      resource: receiptResource,
      list: async ({ principal }, query) =>
        mapPage(await listReceipts(context, principal, query), (shown) =>
          renderReceipt(shown, currencies),
        ),
    }),
    getRoute({
      path: "/unattributed/{id}/",
      summary: "Get an unattributed payment",
      description: forOperators,
      resource: receiptResource,
      find: async ({ principal, id }) => {
        const shown = await readReceipt(db, principal, id);
        return shown === null ? null : renderReceipt(shown, currencies);
      },
    }),
    listRoute({
      path: "/unattributed/{id}/assignable-deposit/",
      summary: "Find the deposit of an unattributed payment",
      description: `${forOperators} filter[text] is the id of a deposit, the start of its tracking id, its payment link or its tag, of any account. Only deposits to which the payment can be assigned are found, at most 20, newest first.`,
      resource: assignableDepositResource,
      list: async ({ principal, id }, query) => {
        const found = await listAssignable(context, principal, id, searchedText(query));
        if (found === null) return reject("notFound", "No object with this id exists.");
        return mapPage(pageOfHits(query, found), (deposit) => renderAssignable(deposit, context));
      },
    }),
    actionRouteWithFaults({
      path: "/unattributed/{id}/assign/",
      summary: "Assign an unattributed payment to a deposit",
      description: `${forOperators} The deposit gets the payment as if it had named its tag: with status, screening, commission and callbacks. It counts as paid when it arrived, and is valued as of now.`,
      resource: receiptResource,
      document: assignDocument,
      act: async ({ principal, id }, { values, faults }) => {
        await assertOperator(db, principal);
        const [first, ...others] = faults;
        if (first !== undefined) throw new Rejected(first, ...others);
        const order = { id, depositId: values.deposit ?? "", reason: values.reason ?? "" };
        if (!(await assignReceipt(context, principal, order))) return null;
        const shown = await readReceipt(db, principal, id);
        return shown === null ? null : { data: renderReceipt(shown, currencies) };
      },
    }),
    ...returnRoutes(context, payouts),
  ];
}

function returnRoutes(context: Context, payouts: PayoutCreateContext): readonly Route[] {
  const { db, currencies } = context;
  return [
    actionRouteWithFaults({
      path: "/unattributed/{id}/return/",
      summary: "Return an unattributed payment",
      description: `${forOperators} Sends it back with a payout of your account, named by meta.payout_id, which is screened like any other. The money passes through your account's Enterprise wallet of the currency; its balance does not change.`,
      resource: receiptResource,
      document: returnDocument,
      requestHeaders: [{ ...refundKeyHeader, required: true }],
      beforeBody: (request) => {
        readKey(request);
      },
      act: async (request, reading) => {
        const { principal, id } = request;
        await assertOperator(db, principal);
        const money = await findReturnable(db, context, principal.accountId, id);
        if (money === null) return null;
        const reason = reading.values.reason ?? "";
        const { accountId } = principal;
        const order = { id, reason, owner: { accountId, walletId: money.walletId } };
        const act = actOnOwnAccount(principal, reason);
        const payoutId = await createRefundPayout(payouts, request, money, reading, {
          incoming: {
            depositId: null,
            lock: (tx) => lockForReturn(tx, id),
            credit: (tx, by, now) => creditReturn(tx, context, order, by, now),
          },
          audits: (now) => act.audits("unattributed.returned", { type: "unattributed", id }, now),
          subject: `unattributed ${id}`,
          address: reading.values.address ?? money.sender,
          isRiskAccepted: false,
        });
        const shown = await readReceipt(db, principal, id);
        return shown === null
          ? null
          : { data: renderReceipt(shown, currencies), meta: { payout_id: payoutId } };
      },
    }),
    actionRouteWithFaults({
      path: "/unattributed/{id}/return/calculate/",
      summary: "Calculate the fees of returning an unattributed payment",
      description: `${forOperators} Like /payout/calculate/, but the wallet needs no balance. meta.amount is the returned amount before the fee.`,
      resource: calculationDefinition,
      document: quoteDocument,
      throttle: "calculate",
      act: async ({ principal, id }, { values, faults }) => {
        await assertOperator(db, principal);
        const money = await findReturnable(db, context, principal.accountId, id);
        if (money === null) return null;
        return quoteRefundPayout({ deposits: context, payouts }, { principal }, money, {
          faults,
          toAddress: values.to_address ?? "",
          tag: values.tag ?? null,
          tagType: values.tag_type ?? null,
        });
      },
    }),
  ];
}
