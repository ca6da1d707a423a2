import { createSecretKey } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { verifyCallback } from "../../../client/src/verify-callback.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { webhookSecretBytes } from "./callback-signature.ts";
import { composeDelivery } from "./compose-delivery.ts";

const secretOf = (fill: number): string => `whsec_${Buffer.alloc(32, fill).toString("base64")}`;
const [fresh, former, other] = [secretOf(1), secretOf(2), secretOf(3)];
const keyOf = (secret: string) => createSecretKey(webhookSecretBytes(secret));

describe("composeDelivery", () => {
  it("signs with both secrets after a rotation, so that receivers can verify with either", async () => {
    const now = systemClock.now();
    const { headers, body } = composeDelivery(
      {
        url: "https://shop.example/",
        webhookId: "msg_1",
        payload: { data: { type: "deposit", id: "1", attributes: {} }, included: [] },
      } as never,
      {
        callbackKey: createSecretKey(Buffer.alloc(32)),
        webhookSecret: keyOf(fresh),
        formerWebhookSecret: keyOf(former),
      },
      now,
    );
    const text = Buffer.from(body).toString();
    for (const secret of [fresh, former]) {
      new Webhook(secret).verify(text, headers);
      const verdict = await verifyCallback({ headers, body: text }, { webhookSecret: secret });
      expect(verdict.isGenuine).toBe(true);
    }
    expect(() => new Webhook(other).verify(text, headers)).toThrow();
  });
});
