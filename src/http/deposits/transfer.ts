import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { DepositContext } from "../../deposits/payments/reconsider.ts";
import { releaseTransfer } from "../../deposits/resolve/release-transfer.ts";
import {
  actOnTransfer,
  listTransfers,
  readTransfer,
} from "../../deposits/transfers/read-transfers.ts";
import type { TransferWithTip } from "../../deposits/transfers/transfer.ts";
import {
  listedTransferResource,
  transferDefinition,
} from "../../deposits/transfers/transfer-resource.ts";
import { type ReleaseContext, releasePayout } from "../../payouts/send/release-payout.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { mapPage } from "../../platform/kernel/list-query.ts";
import { Rejected } from "../../platform/kernel/rejection.ts";
import { defineDocument } from "../../platform/resources/define-document.ts";
import type { ResourceOf } from "../../platform/resources/define-resource.ts";
import { forOperators, reasonField } from "../reports/operator-act.ts";
import { actionRouteWithFaults, getRoute, listRoute, type Route } from "../server/route.ts";

const releaseDocument = defineDocument({ type: "transfer", fields: { reason: reasonField } });

/** `/transfer/`: listing and reading transfers, and releasing held ones. */
export function transferRoutes(
  context: DepositContext &
    ReleaseContext & {
      readonly db: Database;
      readonly clock: Clock;
      readonly currencies: CurrencyRegistry;
    },
): readonly Route[] {
  const resource = transferDefinition;
  const render = (found: TransferWithTip): ResourceOf<typeof transferDefinition> =>
    listedTransferResource(found, context.currencies);
  return [
    listRoute({
      path: "/transfer/",
      summary: "List transfers",
      resource,
      list: async ({ principal }, query) =>
        mapPage(await listTransfers(context.db, principal, query, context.currencies), render),
    }),
    getRoute({
      path: "/transfer/{id}/",
      summary: "Get a transfer",
      resource,
      find: async ({ principal, id }) => {
        const found = await readTransfer(context.db, principal, id);
        return found === null ? null : render(found);
      },
    }),
    actionRouteWithFaults({
      path: "/transfer/{id}/release/",
      summary: "Release a held transfer or payout",
      description: `${forOperators} The transfer can belong to any account. The audit logs of both accounts record the reason.`,
      resource,
      document: releaseDocument,
      act: async ({ principal, id }, reading) => {
        const act = await actOnTransfer(context.db, principal, id, reading.values.reason ?? "");
        const [first, ...others] = reading.faults;
        if (first !== undefined) throw new Rejected(first, ...others);
        if (act === null) return null;
        const released =
          (await releaseTransfer(context, act, id)) ?? (await releasePayout(context, act, id));
        if (released === null) return null;
        const found = await readTransfer(context.db, act.principal, id);
        return found === null ? null : { data: render(found) };
      },
    }),
  ];
}
