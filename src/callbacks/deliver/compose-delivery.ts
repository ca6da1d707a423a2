import type { KeyObject } from "node:crypto";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { interfaceSignature, signedMembers, webhookSignature } from "./callback-signature.ts";
import type { ClaimedCallback } from "./dispatch.store.ts";

export type DeliveryKeys = {
  /** Raw SHA-256 of the creating credential's login and password. */
  readonly callbackKey: KeyObject;
  /** The account's Standard Webhooks secret, raw. */
  readonly webhookSecret: KeyObject;
  /** The previous secret, during a rotation. */
  readonly formerWebhookSecret?: KeyObject;
};

export type Delivery = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};

/**
 * The request of one attempt: `{data, included, meta}` with `meta.time` and `meta.sign` of this attempt, and
 * Standard Webhooks headers over the exact bytes of the body. The media type is `application/json`: the interface requires
 * "HTTP POST, JSON", and frameworks parse it by default.
 */
export function composeDelivery(
  callback: ClaimedCallback,
  keys: DeliveryKeys,
  now: Instant,
): Delivery {
  const { data, included } = callback.payload;
  const time = formatTimestamp(now);
  const sign = interfaceSignature(keys.callbackKey, signedMembers(callback.payload, time));
  const body = Buffer.from(JSON.stringify({ data, included, meta: { time, sign } }));
  const seconds = Math.floor(now / 1_000_000);
  return {
    url: callback.url,
    headers: {
      "content-type": "application/json",
      accept: "*/*",
      "accept-encoding": "identity",
      "user-agent": "Sluice-Callback/1",
      "webhook-id": callback.webhookId,
      "webhook-timestamp": String(seconds),
      "webhook-signature": signatures(keys, callback.webhookId, seconds, body),
    },
    body,
  };
}

/** Standard Webhooks allows several signatures separated by spaces; one valid signature is enough. */
function signatures(
  { webhookSecret, formerWebhookSecret }: DeliveryKeys,
  webhookId: string,
  seconds: number,
  body: Uint8Array,
): string {
  const secrets = [
    webhookSecret,
    ...(formerWebhookSecret === undefined ? [] : [formerWebhookSecret]),
  ];
  return secrets.map((secret) => webhookSignature(secret, webhookId, seconds, body)).join(" ");
}
