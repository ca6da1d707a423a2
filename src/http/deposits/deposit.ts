import type { ListReading } from "../../currencies/address-filter.ts";
import { type CreateContext, createDeposit } from "../../deposits/create/create-deposit.ts";
import type { Deposit } from "../../deposits/deposit.ts";
import { depositPatchDocument, newDepositDocument } from "../../deposits/deposit-documents.ts";
import { depositDefinition, depositResource } from "../../deposits/deposit-resource.ts";
import {
  assertMayChange,
  cancelDeposit,
  changeDeposit,
} from "../../deposits/payments/change-deposit.ts";
import type { DepositContext } from "../../deposits/payments/reconsider.ts";
import { createRenderedDeposits } from "../../deposits/rendered-deposits.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { ResourceOf } from "../../platform/resources/define-resource.ts";
import { keepText } from "../jsonapi/serialize.ts";
import {
  actionRoute,
  createRouteWithFaults,
  getRoute,
  listRoute,
  patchRoute,
  type Route,
} from "../server/route.ts";
import { findKey, keyHeader } from "./idempotency-key.ts";

export type DepositRoutesContext = DepositContext &
  CreateContext &
  ListReading & {
    readonly db: Database;
    readonly clock: Clock;
  };

/** The deposit methods of the interface, and the actions of its "Other operations". */
export function depositRoutes(context: DepositRoutesContext): readonly Route[] {
  const resource = depositDefinition;
  const render = (deposit: Deposit): ResourceOf<typeof depositDefinition> =>
    depositResource(deposit, context.currencies, context);
  const renderOrNull = (deposit: Deposit | null) => (deposit === null ? null : render(deposit));
  const rendered = createRenderedDeposits(context, { render, prepare: keepText });
  return [
    listRoute({
      path: "/deposit/",
      summary: "List deposits",
      resource,
      list: ({ principal }, query) => rendered.list(principal, query, context),
    }),
    getRoute({
      path: "/deposit/{id}/",
      summary: "Get a deposit",
      resource,
      find: ({ principal, id }) => rendered.find(principal, id),
    }),
    createRouteWithFaults({
      path: "/deposit/",
      summary: "Create a deposit",
      resource,
      document: newDepositDocument,
      requestHeaders: [
        {
          name: keyHeader,
          required: false,
          description:
            "UUIDv4 with hyphens. For 24 hours, the same key with the same body returns the first deposit (200); with another body the key is ignored.",
        },
      ],
      repeats: true,
      create: async (request, reading) => {
        const { principal } = request;
        const key = findKey(request);
        const { deposit, isRepeat } = await createDeposit(context, principal, {
          input: reading.values,
          faults: reading.faults,
          creationKey: key === null ? null : { key, fingerprint: reading.fingerprint },
        });
        return { data: render(deposit), isRepeat };
      },
    }),
    patchRoute({
      path: "/deposit/{id}/",
      summary: "Change a deposit's label, tracking_id or time limit",
      resource,
      document: depositPatchDocument,
      assertAllowed: assertMayChange,
      patch: async ({ principal, id }, input, attributes) =>
        renderOrNull(
          await changeDeposit(context, principal, id, {
            label: input.label,
            trackingId: input.tracking_id,
            timeLimit: input.time_limit,
            isWhole: attributes.has("invoice_updated_at"),
          }),
        ),
    }),
    actionRoute({
      path: "/deposit/{id}/cancel/",
      summary: "Cancel a deposit of a Merchant wallet",
      resource,
      act: async ({ principal, id }) => renderOrNull(await cancelDeposit(context, principal, id)),
    }),
  ];
}
