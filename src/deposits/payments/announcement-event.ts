import type { NewEvent } from "../../callbacks/events/new-event.ts";
import { currencyResource } from "../../currencies/currency-resource.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { depositResource } from "../deposit-resource.ts";
import type { TransferRecord } from "../transfers/transfer.ts";
import { transferResource } from "../transfers/transfer-resource.ts";
import type { DepositDecision } from "./decide-deposit.ts";

/** The events of a decision, each with the deposit, the currency and the transfer after it. */
export function announcementEvents(
  decision: DepositDecision,
  context: { readonly currencies: CurrencyRegistry; readonly baseUrl: string },
  tipOf: (chain: string) => number | null,
  now: Instant,
): readonly NewEvent[] {
  const transfers = new Map(decision.transfers.map((transfer) => [transfer.id, transfer]));
  return decision.announcements.map((announcement) => ({
    accountId: decision.deposit.accountId,
    objectType: "deposit",
    objectId: decision.deposit.id,
    transferId: announcement.transferId,
    trigger: announcement.trigger,
    key: announcement.key,
    payload: payloadOf(
      announcement.transferId === null
        ? null
        : present(transfers.get(announcement.transferId), "the transfer of an announcement"),
      decision,
      context,
      tipOf,
    ),
    callbackUrl: announcement.isDelivered ? decision.deposit.callbackUrl : null,
    credentialId: decision.deposit.createdByCredentialId,
    createdAt: now,
  }));
}

function payloadOf(
  transfer: TransferRecord | null,
  decision: DepositDecision,
  context: { readonly currencies: CurrencyRegistry; readonly baseUrl: string },
  tipOf: (chain: string) => number | null,
): NewEvent["payload"] {
  const data = depositResource(decision.deposit, context.currencies, context);
  // JSON:API 1.1, full linkage: a relationship of `data` or of another included object names every object in `included`.
  const currencyIds = new Set(
    [decision.deposit.currency, transfer?.currency ?? null].filter((id) => id !== null),
  );
  const included = [...currencyIds].map((id) => currencyResource(context.currencies.get(id)));
  if (transfer === null) return { data, included };
  return {
    data: {
      ...data,
      relationships: {
        ...data.relationships,
        transfer: { data: { type: "transfer", id: transfer.id } },
      },
    },
    included: [...included, transferResource(transfer, context.currencies, tipOf(transfer.chain))],
  };
}
