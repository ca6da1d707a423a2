import type { WebhookEndpoint } from "../../../../../client/src/api-types.gen.ts";

type EventName = NonNullable<WebhookEndpoint["attributes"]["events"]>[number];

/** The events that endpoints select, in words. */
export const endpointEvents: readonly { readonly value: EventName; readonly label: string }[] = [
  { value: "deposit.confirmed", label: "Deposit: payment confirmed" },
  { value: "deposit.settled", label: "Deposit: payment settled" },
  { value: "deposit.status", label: "Deposit: status changed" },
  { value: "deposit.reversed", label: "Deposit: payment reversed" },
  { value: "deposit.cancelled", label: "Deposit: payment canceled" },
  { value: "deposit.blocked", label: "Deposit: payment held by screening" },
  { value: "deposit.address_activated", label: "Deposit: address activated" },
  { value: "payout.confirmed", label: "Payout: confirmed" },
  { value: "payout.settled", label: "Payout: settled" },
  { value: "payout.failed", label: "Payout: failed" },
  { value: "payout.blocked", label: "Payout: on hold" },
  { value: "payout.reversed", label: "Payout: reversed" },
];

/** "All events", the one event's name, or how many. */
export function eventsText(events: readonly EventName[] | null): string {
  if (events === null) return "All events";
  const [first, ...others] = events;
  if (others.length > 0) return `${events.length} events`;
  return endpointEvents.find(({ value }) => value === first)?.label ?? "No events";
}
