import type { PayeeAddressing } from "../../chains/port.ts";
import type { ChainId } from "../../currencies/currency.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { type CreatePayoutContext, createPayout } from "../../payouts/create/create-payout.ts";
import type { PayoutRequest } from "../../payouts/create/payout-request.ts";
import { payoutResourceWithTravelRule } from "../../payouts/payout-resource.ts";
import { readTravelRuleField } from "../../payouts/travel-rule/read-travel-rule-field.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { isObjectId } from "../../platform/kernel/object-id.ts";
import { type Rejection, rejection } from "../../platform/kernel/rejection.ts";
import type { DocumentReading } from "../../platform/resources/define-document.ts";
import { keyHeader, readKey } from "../deposits/idempotency-key.ts";
import { createRouteWithFaults, type Route } from "../server/route.ts";
import { type NewPayoutDocument, newPayoutDocument } from "./payout-create-definition.ts";
import { payoutResourceDefinition } from "./payout-resource-definition.ts";

export type PayoutCreateContext = CreatePayoutContext & { readonly currencies: CurrencyRegistry };

/** `POST {base_url}/payout/` of the interface. */
export function payoutCreateRoutes(context: PayoutCreateContext): readonly Route[] {
  const masks = addressMasks(context.currencies, context.findPayeeAddressing);
  return [
    createRouteWithFaults({
      path: "/payout/",
      summary: "Create a payout",
      resource: payoutResourceDefinition,
      document: newPayoutDocument({ asksAlways: context.travelRuleThresholds.size === 0 }),
      custom: () => Promise.resolve({ address_masks: masks }),
      requestHeaders: [
        {
          name: keyHeader,
          required: true,
          description: "A UUID4 with hyphens, new for each payout. A repeated key returns 409.",
        },
      ],
      beforeBody: (request) => {
        readKey(request);
      },
      create: async (request, reading) => {
        const { payout, travelRule } = await createPayout(context, request.principal, {
          ...orderOf(reading),
          idempotencyKey: readKey(request),
          fingerprint: reading.fingerprint,
          incoming: null,
        });
        return { data: payoutResourceWithTravelRule(payout, context.currencies, travelRule) };
      },
    }),
  ];
}

/** `custom.POST.address_masks` of the interface: the address forms of each currency that can be paid out. */
function addressMasks(
  currencies: CurrencyRegistry,
  findPayeeAddressing: (chain: ChainId) => PayeeAddressing | null,
): JsonObject {
  return Object.fromEntries(
    currencies.all.flatMap(({ id, chain }) => {
      const addressing = chain === null ? null : findPayeeAddressing(chain);
      if (addressing === null) return [];
      const types = addressing.types.map(({ name, masks, isDefault }) => ({
        address_type: name,
        mask: masks.length === 0 ? null : [...masks],
        is_default: isDefault,
      }));
      return [[id, types]];
    }),
  );
}

function orderOf({ values, faults, isRelated }: DocumentReading<NewPayoutDocument>): {
  readonly request: PayoutRequest;
  readonly faults: readonly Rejection[];
} {
  const wallet = values.wallet ?? null;
  const isWalletId = wallet !== null && isObjectId(wallet);
  const travelRule = readTravelRuleField(values.travel_rule_info ?? null);
  const isTargetRelated = isRelated("target_wallet");
  return {
    request: {
      walletId: isWalletId ? wallet : null,
      currencyId: values.currency ?? null,
      amount: values.amount ?? null,
      feeAmount: values.fee_amount ?? null,
      address: values.address ?? null,
      targetDeposit: values.target_deposit ?? null,
      targetWallet: values.target_wallet ?? null,
      targetWalletPointer: `/data/${isTargetRelated ? "relationships" : "attributes"}/target_wallet`,
      tag: values.tag ?? null,
      tagType: values.tag_type ?? null,
      isFeeIncluded: values.is_fee_included ?? false,
      forceBlockchain: values.force_blockchain ?? false,
      label: values.label ?? null,
      trackingId: values.tracking_id ?? null,
      confirmationsNeeded: values.confirmations_needed ?? null,
      callbackUrl: values.callback_url ?? null,
      travelRule: travelRule.info,
    },
    faults: [
      ...faults,
      ...travelRule.faults,
      ...(wallet === null || isWalletId
        ? []
        : [
            rejection("invalidValue", "There is no such wallet.", {
              pointer: "/data/relationships/wallet",
            }),
          ]),
    ],
  };
}
