import { createHash, createHmac, createSecretKey } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { verifyCallback } from "../../../client/src/verify-callback.ts";
import { callbackTo } from "../../../test/support/callback-lanes.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { webhookSecretBytes } from "./callback-signature.ts";
import { composeDelivery, recomposeRequest } from "./compose-delivery.ts";
import type { ClaimedCallback } from "./dispatch.store.ts";

const secretOf = (fill: number): string => `whsec_${Buffer.alloc(32, fill).toString("base64")}`;
const [fresh, former, other] = [secretOf(1), secretOf(2), secretOf(3)];
const keyOf = (secret: string) => createSecretKey(webhookSecretBytes(secret));
const callbackKey = createHash("sha256").update("login").update("password").digest();
const data = { type: "deposit", id: "1", attributes: { tracking_id: "order-1" } };
const included = [{ type: "transfer", id: "5", attributes: { status: 2, amount: "1.5" } }];
const now = systemClock.now();

const callback: ClaimedCallback = {
  ...callbackTo("shop.example"),
  id: "1",
  url: "https://shop.example/callbacks?shop=1",
  webhookId: "msg_1",
  payload: { data, included },
};

const compose = (formerWebhookSecret?: string) =>
  composeDelivery(
    callback,
    {
      callbackKey: createSecretKey(callbackKey),
      webhookSecret: keyOf(fresh),
      ...(formerWebhookSecret === undefined
        ? {}
        : { formerWebhookSecret: keyOf(formerWebhookSecret) }),
    },
    now,
  );

describe("composeDelivery", () => {
  it("signs with both secrets after a rotation, so that receivers can verify with either", async () => {
    const { headers, body } = compose(former);
    const text = Buffer.from(body).toString();
    for (const secret of [fresh, former]) {
      new Webhook(secret).verify(text, headers);
      const verdict = await verifyCallback({ headers, body: text }, { webhookSecret: secret });
      expect(verdict.isGenuine).toBe(true);
    }
    expect(() => new Webhook(other).verify(text, headers)).toThrow();
  });

  it("sends the object, what belongs to it, and the interface's signature of this attempt as JSON", () => {
    const time = formatTimestamp(now);
    const sign = createHmac("sha256", callbackKey).update(`21.5order-1${time}`).digest("hex");
    const { url, headers, body, signed } = compose();
    expect(url).toBe(callback.url);
    expect(JSON.parse(Buffer.from(body).toString())).toEqual({
      data,
      included,
      meta: { time, sign },
    });
    expect(headers).toEqual({
      "content-type": "application/json",
      accept: "*/*",
      // An answer is kept as it came.
      "accept-encoding": "identity",
      "user-agent": "Sluice-Callback/1",
      "webhook-id": "msg_1",
      "webhook-timestamp": String(Math.floor(now / 1_000_000)),
      "webhook-signature": signed.webhookSignature,
    });
    expect(signed.sign).toBe(sign);
    expect(signed.webhookSignature).toMatch(/^v1,\S+$/);
  });
});

describe("recomposeRequest", () => {
  it("shows exactly what an attempt sent", () => {
    const { headers, body, signed } = compose(former);
    expect(recomposeRequest(callback, signed, now)).toEqual({ headers, body });
  });
});
