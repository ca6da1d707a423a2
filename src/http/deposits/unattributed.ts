import { assertOperator } from "../../accounts/operator.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { DepositContext } from "../../deposits/payments/reconsider.ts";
import { assignReceipt } from "../../deposits/unattributed/assign-receipt.ts";
import { listReceipts, readReceipt } from "../../deposits/unattributed/read-receipts.ts";
import { receiptResource, renderReceipt } from "../../deposits/unattributed/receipt-resource.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { mapPage } from "../../platform/kernel/list-query.ts";
import { Rejected } from "../../platform/kernel/rejection.ts";
import { defineDocument } from "../../platform/resources/define-document.ts";
import { forOperators, reasonField } from "../reports/operator-act.ts";
import { actionRouteWithFaults, getRoute, listRoute, type Route } from "../server/route.ts";

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

/** `/unattributed/`: money that reached shared accounts under no deposit's tag, for operators of the deployment. */
export function unattributedRoutes(
  context: DepositContext & {
    readonly db: Database;
    readonly clock: Clock;
    readonly currencies: CurrencyRegistry;
  },
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
  ];
}
