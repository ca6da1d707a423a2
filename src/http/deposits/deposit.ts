import type { CurrencyRegistry } from "../../currencies/registry.ts";
import {
  type CreateContext,
  createDeposit,
  noSuchWallet,
} from "../../deposits/create/create-deposit.ts";
import type { DepositOrder } from "../../deposits/create/deposit-request.ts";
import type { Deposit } from "../../deposits/deposit.ts";
import { depositResource } from "../../deposits/deposit-resource.ts";
import {
  assertMayChange,
  cancelDeposit,
  changeDeposit,
} from "../../deposits/payments/change-deposit.ts";
import type { DepositContext } from "../../deposits/payments/reconsider.ts";
import { createReadDeposit, listDeposits } from "../../deposits/read-deposits.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { mapPage } from "../../platform/kernel/list-query.ts";
import { isObjectId } from "../../platform/kernel/object-id.ts";
import type { DocumentReading } from "../../platform/resources/define-document.ts";
import type { ResourceOf } from "../../platform/resources/define-resource.ts";
import { readTravelRuleField } from "../payouts/travel-rule-field.ts";
import {
  type ApiRequest,
  actionRoute,
  getRoute,
  listRoute,
  patchRoute,
  type Route,
  weighedCreateRoute,
} from "../server/route.ts";
import {
  depositDefinition,
  depositPatchDocument,
  newDepositDocument,
} from "./deposit-definition.ts";
import { findKey, keyHeader } from "./idempotency-key.ts";

export type DepositRoutesContext = DepositContext &
  CreateContext & {
    readonly db: Database;
    readonly clock: Clock;
    readonly currencies: CurrencyRegistry;
  };

/** The deposit methods of the interface, and the actions that its "Other operations" leave open. */
export function depositRoutes(context: DepositRoutesContext): readonly Route[] {
  const resource = depositDefinition;
  const readDeposit = createReadDeposit(context.db);
  const render = (deposit: Deposit): ResourceOf<typeof depositDefinition> =>
    depositResource(deposit, context.currencies, context);
  const renderOrNull = (deposit: Deposit | null) => (deposit === null ? null : render(deposit));
  return [
    listRoute({
      path: "/deposit/",
      summary: "List deposits",
      resource,
      list: async ({ principal }, query) =>
        mapPage(await listDeposits(context.db, principal, query, context.currencies), render),
    }),
    getRoute({
      path: "/deposit/{id}/",
      summary: "Get a deposit",
      resource,
      find: async ({ principal, id }) => renderOrNull(await readDeposit(principal, id)),
    }),
    weighedCreateRoute({
      path: "/deposit/",
      summary: "Create a deposit",
      resource,
      document: newDepositDocument,
      requestHeaders: [
        {
          name: keyHeader,
          required: false,
          description:
            "A UUID4 with hyphens. For 24 hours the same key with the same document returns the first deposit (200); with another document it is ignored.",
        },
      ],
      repeats: true,
      create: async (request, reading) => {
        const { principal } = request;
        const { deposit, isRepeat } = await createDeposit(
          context,
          principal,
          orderOf(request, reading),
        );
        return { data: render(deposit), isRepeat };
      },
    }),
    patchRoute({
      path: "/deposit/{id}/",
      summary: "Change a deposit's label, tracking_id or time limit",
      resource,
      document: depositPatchDocument,
      assertAllowed: assertMayChange,
      patch: async ({ principal, id }, input) =>
        renderOrNull(
          await changeDeposit(context, principal, id, {
            label: input.label,
            trackingId: input.tracking_id,
            timeLimit: input.time_limit,
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

function orderOf(
  request: ApiRequest,
  reading: DocumentReading<typeof newDepositDocument>,
): DepositOrder {
  const { values, faults } = reading;
  const key = findKey(request);
  const wallet = values.wallet ?? null;
  const isWalletId = wallet !== null && isObjectId(wallet);
  const travelRule = readTravelRuleField(values.travel_rule_info ?? null);
  return {
    request: {
      walletId: isWalletId ? wallet : null,
      currencyId: values.currency ?? null,
      addressType: values.address_type ?? null,
      label: values.label ?? null,
      trackingId: values.tracking_id ?? null,
      confirmationsNeeded: values.confirmations_needed ?? null,
      timeLimit: values.time_limit ?? null,
      callbackUrl: values.callback_url ?? null,
      redirectUrl: values.payment_page_redirect_url ?? null,
      buttonText: values.payment_page_button_text ?? null,
      helpEmail: values.help_email ?? null,
      inaccuracy: values.inaccuracy ?? null,
      targetAmountRequested: values.target_amount_requested ?? null,
      travelRule: travelRule.info,
    },
    faults: [
      ...faults,
      ...travelRule.faults,
      ...(wallet === null || isWalletId ? [] : [noSuchWallet()]),
    ],
    creationKey: key === null ? null : { key, fingerprint: reading.fingerprint },
  };
}
