import type { ListReading } from "../../currencies/address-filter.ts";
import { type ApproveContext, approvePayout } from "../../payouts/approve/approve-payout.ts";
import { type CancelContext, cancelPayout } from "../../payouts/cancel-payout.ts";
import { patchPayout } from "../../payouts/patch-payout.ts";
import type { Payout } from "../../payouts/payout.ts";
import { payoutPatchDocument } from "../../payouts/payout-documents.ts";
import { payoutDefinition, payoutResourceWithTravelRule } from "../../payouts/payout-resource.ts";
import { listPayouts, readPayout, readTravelRule } from "../../payouts/read-payouts.ts";
import { assertMayChange } from "../../payouts/send/find-for-change.ts";
import type { Database } from "../../platform/db/database.ts";
import { mapPage } from "../../platform/kernel/list-query.ts";
import type { Seal } from "../../platform/kernel/seal.ts";
import type { ResourceOf } from "../../platform/resources/define-resource.ts";
import type { ApiRequest } from "../server/route.ts";
import { actionRoute, getRoute, listRoute, patchRoute, type Route } from "../server/route.ts";

export type PayoutRoutesContext = ApproveContext &
  CancelContext &
  ListReading & { readonly db: Database; readonly seal: Seal };

/** The interface's payout methods except creation, and the actions that "Other operations" leaves to the implementation. */
export function payoutRoutes(context: PayoutRoutesContext): readonly Route[] {
  const resource = payoutDefinition;
  const render = (
    payout: Payout | null,
    { principal }: Pick<ApiRequest, "principal">,
  ): ResourceOf<typeof payoutDefinition> | null =>
    payout === null
      ? null
      : payoutResourceWithTravelRule(
          payout,
          context.currencies,
          readTravelRule(payout, principal, context.seal),
        );
  return [
    listRoute({
      path: "/payout/",
      summary: "List payouts",
      resource,
      list: async ({ principal }, query) =>
        mapPage(await listPayouts(context.db, principal, query, context), (payout) =>
          payoutResourceWithTravelRule(payout, context.currencies, null),
        ),
    }),
    getRoute({
      path: "/payout/{id}/",
      summary: "Get a payout",
      resource,
      find: async (request) =>
        render(await readPayout(context.db, request.principal, request.id), request),
    }),
    patchRoute({
      path: "/payout/{id}/",
      summary: "Change a payout's label or tracking_id",
      resource,
      document: payoutPatchDocument,
      assertAllowed: assertMayChange,
      patch: async (request, { label, tracking_id: trackingId }) =>
        render(
          await patchPayout(context, request.principal, request.id, { label, trackingId }),
          request,
        ),
    }),
    actionRoute({
      path: "/payout/{id}/approve/",
      summary: "Approve a payout that waits for approval",
      description: "The approver must be another member than the creator.",
      resource,
      act: async (request) =>
        render(await approvePayout(context, request.principal, request.id), request),
    }),
    actionRoute({
      path: "/payout/{id}/cancel/",
      summary: "Cancel a payout that is not signed yet",
      resource,
      act: async (request) =>
        render(await cancelPayout(context, request.principal, request.id), request),
    }),
  ];
}
