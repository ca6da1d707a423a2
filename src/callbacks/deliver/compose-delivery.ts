import type { KeyObject } from "node:crypto";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { interfaceSignature, signedMembers, webhookSignature } from "./callback-signature.ts";
import type { ClaimedCallback, Signed } from "./dispatch.store.ts";

export type DeliveryKeys = {
  /** Raw SHA-256 of the creating credential's login and password. */
  readonly callbackKey: KeyObject;
  /** The Standard Webhooks secret of the account, or of the webhook endpoint, raw. */
  readonly webhookSecret: KeyObject;
  /** The previous secret, during a rotation. */
  readonly formerWebhookSecret?: KeyObject;
};

export type Delivery = SentRequest & { readonly url: string };

export type SentRequest = {
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
): Delivery & { readonly signed: Signed } {
  const sign = interfaceSignature(
    keys.callbackKey,
    signedMembers(callback.payload, formatTimestamp(now)),
  );
  const body = bodyOf(callback.payload, sign, now);
  const webhookSignature = signatures(keys, callback.webhookId, secondsOf(now), body);
  const signed = { sign, webhookSignature };
  return {
    url: callback.url,
    headers: headersOf(callback.webhookId, webhookSignature, now),
    body,
    signed,
  };
}

/** The request that an attempt at `at` sent, composed again from what it was signed with. */
export function recomposeRequest(
  callback: Pick<ClaimedCallback, "payload" | "webhookId">,
  { sign, webhookSignature }: Signed,
  at: Instant,
): SentRequest {
  return {
    headers: headersOf(callback.webhookId, webhookSignature, at),
    body: bodyOf(callback.payload, sign, at),
  };
}

function bodyOf(
  { data, included }: ClaimedCallback["payload"],
  sign: string,
  at: Instant,
): Uint8Array {
  const meta = { time: formatTimestamp(at), sign };
  return Buffer.from(JSON.stringify({ data, included, meta }));
}

function headersOf(webhookId: string, webhookSignature: string, at: Instant) {
  return {
    "content-type": "application/json",
    accept: "*/*",
    "accept-encoding": "identity",
    "user-agent": "Sluice-Callback/1",
    "webhook-id": webhookId,
    "webhook-timestamp": String(secondsOf(at)),
    "webhook-signature": webhookSignature,
  };
}

function secondsOf(at: Instant): number {
  return Math.floor(at / 1_000_000);
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
