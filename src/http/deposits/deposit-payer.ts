import { readDepositPayer } from "../../deposits/read-deposits.ts";
import type { Executor } from "../../platform/db/database.ts";
import { formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";
import { defineResource } from "../../platform/resources/define-resource.ts";
import { getRoute, type Route } from "../server/route.ts";

const depositPayerDefinition = defineResource({
  type: "deposit-payer",
  description: "Refund details that a deposit's payer entered on the payment page.",
  attributes: {
    refund_address: {
      type: ["string", "null"],
      description:
        "The refund address that the payer of an Unresolved deposit left; null if there is none.",
    },
    tag: { type: ["string", "null"], description: "Tag or memo that belongs to the address." },
    left_at: { type: ["string", "null"], format: "date-time" },
  },
});

/** `GET /deposit/{id}/payer/`: the refund address for a deposit with funds on hold. */
export function depositPayerRoutes({ db }: { readonly db: Executor }): readonly Route[] {
  return [
    getRoute({
      path: "/deposit/{id}/payer/",
      summary: "Get the payer's refund address",
      resource: depositPayerDefinition,
      find: async ({ principal, id }) => {
        const found = await readDepositPayer(db, principal, id);
        if (found === null) return null;
        const { payer } = found;
        return {
          type: "deposit-payer",
          id,
          attributes: {
            refund_address: payer?.refundAddress ?? null,
            tag: payer?.tag ?? null,
            left_at: formatTimestampOrNull(payer?.leftAt ?? null),
          },
          relationships: {},
        };
      },
    }),
  ];
}
