/** The events that are delivered, as a webhook endpoint selects them: the object's type and what happened to it. */
export const webhookEvents = [
  { value: "deposit.confirmed", name: "a payment reached its required confirmations" },
  { value: "deposit.settled", name: "a payment reached the currency's own confirmations" },
  { value: "deposit.status", name: "the deposit's status changed" },
  { value: "deposit.reversed", name: "a reorg removed a payment" },
  { value: "deposit.cancelled", name: "another transaction took a payment's place" },
  { value: "deposit.blocked", name: "screening holds a payment" },
  { value: "deposit.address_activated", name: "the deposit's address can be paid" },
  { value: "payout.confirmed", name: "the payout reached its required confirmations" },
  { value: "payout.settled", name: "the payout reached the currency's own confirmations" },
  { value: "payout.failed", name: "the payout failed and its funds are available again" },
  { value: "payout.blocked", name: "screening or policy holds the payout" },
  { value: "payout.reversed", name: "a reorg removed the payout's transaction" },
] as const;

export type WebhookEvent = (typeof webhookEvents)[number]["value"];

const known = new Set<string>(webhookEvents.map(({ value }) => value));

/** Whether a text names an event that endpoints can select. */
export function isWebhookEvent(text: string): text is WebhookEvent {
  return known.has(text);
}
