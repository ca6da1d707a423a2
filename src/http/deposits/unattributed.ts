import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { listReceipts, readReceipt } from "../../deposits/unattributed/read-receipts.ts";
import { receiptResource, renderReceipt } from "../../deposits/unattributed/receipt-resource.ts";
import type { Database } from "../../platform/db/database.ts";
import { mapPage } from "../../platform/kernel/list-query.ts";
import { forOperators } from "../reports/operator-act.ts";
import { getRoute, listRoute, type Route } from "../server/route.ts";

/** `/unattributed/`: money that reached shared accounts under no deposit's tag, for operators of the deployment. */
export function unattributedRoutes(context: {
  readonly db: Database;
  readonly currencies: CurrencyRegistry;
}): readonly Route[] {
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
  ];
}
