import type { WebhookEndpoint } from "../../../../../client/src/api-types.gen.ts";
import { t } from "../../language/t.ts";

type EventName = NonNullable<WebhookEndpoint["attributes"]["events"]>[number];

/** The events that endpoints select, in words. */
export const endpointEvents: readonly { readonly value: EventName; readonly label: string }[] = [
  { value: "deposit.confirmed", label: t("Deposit: payment confirmed") },
  { value: "deposit.settled", label: t("Deposit: payment settled") },
  { value: "deposit.status", label: t("Deposit: status changed") },
  { value: "deposit.reversed", label: t("Deposit: payment reversed") },
  { value: "deposit.cancelled", label: t("Deposit: payment canceled") },
  { value: "deposit.blocked", label: t("Deposit: payment held by screening") },
  { value: "deposit.address_activated", label: t("Deposit: address activated") },
  { value: "payout.confirmed", label: t("Payout: confirmed") },
  { value: "payout.settled", label: t("Payout: settled") },
  { value: "payout.failed", label: t("Payout: failed") },
  { value: "payout.blocked", label: t("Payout: on hold") },
  { value: "payout.reversed", label: t("Payout: reversed") },
];

/** "All events", the one event's name, or how many. */
export function eventsText(events: readonly EventName[] | null): string {
  if (events === null) return t("All events");
  const [first, ...others] = events;
  if (others.length > 0) return t("{count} events", { count: events.length });
  return endpointEvents.find(({ value }) => value === first)?.label ?? t("No events");
}
