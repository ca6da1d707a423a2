import type { DepositContext } from "../../deposits/payments/reconsider.ts";
import { type Resolution, readResolution } from "../../deposits/resolve/read-resolution.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { formatDecimal } from "../../platform/kernel/decimal.ts";
import { toOne } from "../../platform/kernel/resource-object.ts";
import { formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";
import { defineResource, type ResourceOf } from "../../platform/resources/define-resource.ts";
import { described, nullable, text, timestamp } from "../../platform/resources/json-schema.ts";
import { getRoute, type Route } from "../server/route.ts";

const resolutionResource = defineResource({
  type: "deposit-resolution",
  description:
    "What accepting the funds on hold in an Unresolved deposit would credit now, and what was refunded and kept. Its id is the deposit's.",
  attributes: {
    accept_amount: described(
      nullable(text),
      "Amount credited by accept after commission, in the wallet's currency. Null if nothing is on hold or there is no fresh rate.",
    ),
    held_amount: described(
      nullable(text),
      "What the funds on hold are worth before commission, in the wallet's currency. Null as accept_amount.",
    ),
    missing_amount: described(
      nullable(text),
      "The missing part of target_amount_requested, which partial keeps without an amount. Null without a requested amount.",
    ),
    rate: described(
      nullable(text),
      "The current bid at which they are valued. Null: each payment keeps its original value.",
    ),
    revalued_from: described(
      nullable(timestamp),
      "From then on accept credits at the current bid. Null: it never does.",
    ),
    refunded_amount: described(
      text,
      "The refunded part of the payments, in the wallet's currency at their own price. Canceled and failed refunds are left out.",
    ),
    kept_amount: described(
      text,
      "The credited part of the payments before commission, in the wallet's currency at their own price.",
    ),
  },
  relationships: { deposit: { resource: "deposit" }, wallet: { resource: "wallet" } },
});

/** `GET /deposit/{id}/resolution/`: the amount that accepting would credit. */
export function depositResolutionRoutes(
  context: DepositContext & { readonly db: Database; readonly clock: Clock },
): readonly Route[] {
  const render = ({
    deposit,
    creditedUnits,
    heldUnits,
    missingUnits,
    rate,
    revaluedFrom,
    refundedUnits,
    keptUnits,
  }: Resolution): ResourceOf<typeof resolutionResource> => {
    const { exp } = context.currencies.get(deposit.walletCurrency);
    const amount = (units: bigint | null) => (units === null ? null : formatDecimal(units, exp));
    return {
      type: "deposit-resolution",
      id: deposit.id,
      attributes: {
        accept_amount: amount(creditedUnits),
        held_amount: amount(heldUnits),
        missing_amount: amount(missingUnits),
        rate: rate === null ? null : formatDecimal(rate.units, rate.exp),
        revalued_from: formatTimestampOrNull(revaluedFrom),
        refunded_amount: formatDecimal(refundedUnits, exp),
        kept_amount: formatDecimal(keptUnits, exp),
      },
      relationships: {
        deposit: toOne("deposit", deposit.id),
        wallet: toOne("wallet", deposit.walletId),
      },
    };
  };
  return [
    getRoute({
      path: "/deposit/{id}/resolution/",
      summary: "Get what accepting an Unresolved deposit would credit",
      resource: resolutionResource,
      find: async ({ principal, id }) => {
        const resolution = await readResolution(context, principal, id);
        return resolution === null ? null : render(resolution);
      },
    }),
  ];
}
