import type { NewEvent } from "../../callbacks/events/new-event.ts";
import { currencyResource } from "../../currencies/currency-resource.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { Deposit } from "../deposit.ts";
import { depositResource } from "../deposit-resource.ts";
import type { TransferRecord } from "../transfers/transfer.ts";
import { transferResource } from "../transfers/transfer-resource.ts";
import type { Announcement } from "./announce.ts";
import type { DepositDecision } from "./decide-deposit.ts";
import { depositNotice } from "./deposit-notice.ts";

type EventContext = { readonly currencies: CurrencyRegistry; readonly baseUrl: string };

/** The events of a decision, each with the deposit, the currency and the transfer after it. */
export function announcementEvents(
  decision: DepositDecision,
  context: EventContext,
  tipOf: (chain: string) => number | null,
  now: Instant,
): readonly NewEvent[] {
  const transfers = new Map(decision.transfers.map((transfer) => [transfer.id, transfer]));
  const { deposit } = decision;
  return decision.announcements.map((announcement) => {
    const { transferId } = announcement;
    const transfer =
      transferId === null
        ? null
        : present(transfers.get(transferId), "the transfer of an announcement");
    const announced = { deposit, transfer, transfers: decision.transfers };
    return depositEvent(announcement, announced, context, tipOf, now);
  });
}

type Announced = {
  readonly deposit: Deposit;
  readonly transfer: TransferRecord | null;
  /** The deposit's payments as far as the decision read them. */
  readonly transfers: readonly TransferRecord[];
};

/** The event of an announcement, with the deposit, the currency and the transfer as they are then. */
export function depositEvent(
  { transferId, trigger, key, isDelivered }: Announcement,
  announced: Announced,
  context: EventContext,
  tipOf: (chain: string) => number | null,
  now: Instant,
): NewEvent {
  const { accountId, id, callbackUrl, createdByCredentialId } = announced.deposit;
  return {
    accountId,
    objectType: "deposit",
    objectId: id,
    transferId,
    trigger,
    key,
    payload: payloadOf(announced, context, tipOf),
    callbackUrl: isDelivered ? callbackUrl : null,
    endpoints: isDelivered ? "selecting" : null,
    credentialId: createdByCredentialId,
    createdAt: now,
    notice: depositNotice({ trigger, ...announced }, context.currencies),
  };
}

function payloadOf(
  { deposit, transfer }: Announced,
  context: EventContext,
  tipOf: (chain: string) => number | null,
): NewEvent["payload"] {
  const data = depositResource(deposit, context.currencies, context);
  // JSON:API 1.1, full linkage: a relationship of `data` or of another included object names every object in `included`.
  const currencyIds = new Set(
    [deposit.currency, transfer?.currency ?? null].filter((id) => id !== null),
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
