import { findBlockedFunds, type Refundable } from "../../deposits/resolve/refundable.ts";
import { actOnTransfer, readTransfer } from "../../deposits/transfers/read-transfers.ts";
import {
  listedTransferResource,
  transferDefinition,
} from "../../deposits/transfers/transfer-resource.ts";
import type { Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { defineDocument } from "../../platform/resources/define-document.ts";
import { calculationDefinition } from "../payouts/payout-calculation.ts";
import { forOperators, reasonField } from "../reports/operator-act.ts";
import { type ApiRequest, actionRouteWithFaults, type Route } from "../server/route.ts";
import { readKey } from "./idempotency-key.ts";
import {
  createRefundPayout,
  incomingRefund,
  quoteRefundPayout,
  type RefundRequestContext,
  refundFields,
  refundKeyHeader,
} from "./refund-request.ts";

const returnDocument = defineDocument({
  type: "transfer",
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

/** `POST /transfer/{id}/return/`: returns a payment that screening blocked to its sender. */
export function transferReturnRoutes(context: RefundRequestContext): readonly Route[] {
  const { db, currencies } = context.deposits;
  return [
    actionRouteWithFaults({
      path: "/transfer/{id}/return/",
      summary: "Return a blocked payment",
      description: `${forOperators} The transfer can belong to any account; its account makes the payout, named by meta.payout_id. A payout to the address that sent the payment is not screened again.`,
      resource: transferDefinition,
      document: returnDocument,
      requestHeaders: [{ ...refundKeyHeader, required: true }],
      beforeBody: (request) => {
        readKey(request);
      },
      act: async (request, reading) => {
        const { id } = request;
        const { reason } = reading.values;
        const act = await actOnTransfer(db, request.principal, id, reason ?? "");
        if (act === null) return null;
        const { principal } = act;
        const money = await findMoney(db, { principal, id });
        if (money === null) return null;
        const address = reading.values.address ?? money.sender;
        const payoutId = await createRefundPayout(
          context.payouts,
          { ...request, principal },
          money,
          reading,
          {
            incoming: incomingRefund(context.deposits, money),
            audits: (now) => act.audits("transfer.returned", { type: "transfer", id }, now),
            subject: `transfer ${id}`,
            address,
            isRiskAccepted: address !== null && address === money.sender,
          },
        );
        const found = present(await readTransfer(db, principal, id), `transfer ${id}`);
        return {
          data: listedTransferResource(found, currencies),
          meta: { payout_id: payoutId },
        };
      },
    }),
    actionRouteWithFaults({
      path: "/transfer/{id}/return/calculate/",
      summary: "Calculate the fees of returning a blocked payment",
      description: "Like /payout/calculate/, but the wallet needs no balance.",
      resource: calculationDefinition,
      document: quoteDocument,
      throttle: "calculate",
      act: async (request, reading) => {
        const act = await actOnTransfer(db, request.principal, request.id, "");
        if (act === null) return null;
        const { principal } = act;
        const money = await findMoney(db, { principal, id: request.id });
        if (money === null) return null;
        return quoteRefundPayout(context, { principal }, money, {
          faults: reading.faults,
          toAddress: reading.values.to_address ?? "",
          tag: reading.values.tag ?? null,
          tagType: reading.values.tag_type ?? null,
        });
      },
    }),
  ];
}

/** Null if there is no such transfer. Rejects with invalidValue for transfers that are no deposit's payment, and with noPermissionToView. */
async function findMoney(
  db: Executor,
  { principal, id }: Pick<ApiRequest, "principal" | "id">,
): Promise<Refundable | null> {
  const money = await findBlockedFunds(db, principal, id);
  if (money !== null) return money;
  if ((await readTransfer(db, principal, id)) === null) return null;
  reject("invalidValue", "Only a payment to a deposit can be returned.");
}
