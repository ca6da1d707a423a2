import type { PayeeAddressing } from "../../chains/port.ts";
import type { ChainId } from "../../currencies/currency.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { type CreatePayoutContext, createPayout } from "../../payouts/create/create-payout.ts";
import { notPositive } from "../../payouts/create/decide-terms.ts";
import {
  at,
  type NewPayoutDocument,
  newPayoutDocument,
  type PayoutRequest,
} from "../../payouts/payout-documents.ts";
import { payoutDefinition, payoutResourceWithTravelRule } from "../../payouts/payout-resource.ts";
import { readTravelRuleField } from "../../payouts/travel-rule/read-travel-rule.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { isObjectId } from "../../platform/kernel/object-id.ts";
import { pointerOf, type Rejection, rejection } from "../../platform/kernel/rejection.ts";
import type { DocumentReading } from "../../platform/resources/define-document.ts";
import { keyHeader, readKey } from "../deposits/idempotency-key.ts";
import { createRouteWithFaults, type Route } from "../server/route.ts";

export type PayoutCreateContext = CreatePayoutContext & { readonly currencies: CurrencyRegistry };

/** `POST {base_url}/payout/` of the interface. */
export function payoutCreateRoutes(context: PayoutCreateContext): readonly Route[] {
  const masks = addressMasks(context.currencies, context.findPayeeAddressing);
  return [
    createRouteWithFaults({
      path: "/payout/",
      summary: "Create a payout",
      resource: payoutDefinition,
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
  readonly missingTravelRule?: Rejection;
} {
  const { wallet, travel_rule_info, ...members } = values;
  const isWalletId = wallet !== null && isObjectId(wallet);
  const travelRule = readTravelRuleField(travel_rule_info);
  const target = isRelated("target_wallet") ? "relationships" : "attributes";
  // The document's only fault about this member itself: that it is missing.
  const missing = faults.find(
    (fault) => pointerOf(fault) === at.attribute("travel_rule_info").pointer,
  );
  const noSuchWallet = rejection("invalidValue", "There is no such wallet.", at.wallet);
  return {
    request: {
      ...members,
      wallet: isWalletId ? wallet : null,
      travelRule: travelRule.info,
      targetWalletPointer: `/data/${target}/target_wallet`,
    },
    ...(missing === undefined ? {} : { missingTravelRule: missing }),
    faults: [
      ...faults.filter((fault) => fault !== missing).map(withOneSentence),
      ...travelRule.faults,
      ...(wallet === null || isWalletId ? [] : [noSuchWallet]),
    ],
  };
}

/** The field refuses a negative amount, and what follows an amount of zero: both say the same. */
function withOneSentence(fault: Rejection): Rejection {
  return fault.name === "amountNotPositive" ? { ...fault, detail: notPositive } : fault;
}
