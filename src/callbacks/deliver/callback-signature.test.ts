import { createHash, createSecretKey } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { interfaceSignature, signedMembers, webhookSignature } from "./callback-signature.ts";

const key = createHash("sha256").update("api_login").update("api_password").digest();
const time = "2025-01-02T03:04:05.000000Z";
const data = { type: "deposit", id: "1", attributes: { tracking_id: "order-42" } };
const transfer = {
  type: "transfer",
  id: "5",
  attributes: { status: 2, amount: "0.00100000" },
};
const currency = { type: "currency", id: "1000", attributes: { amount: "not this" } };

describe("callback signatures", () => {
  it("use the digest of login and password as the key", () => {
    expect(key.toString("hex")).toBe(
      "43ff5e780ce20c5b8faa0a6bc6614510ed6d5111b94b2b914f56a1c62d52e027",
    );
  });

  it("cover status and amount of the transfer (known vector)", () => {
    const members = signedMembers({ data, included: [currency, transfer] }, time);
    expect(interfaceSignature(createSecretKey(key), members)).toBe(
      "ceea5f29891eac447d7f5c0d76e7503f66f2aebe177c2554429e974cbb78f824",
    );
  });

  it("treat status and amount as empty without a transfer (known vector)", () => {
    const members = signedMembers({ data, included: [currency] }, time);
    expect(interfaceSignature(createSecretKey(key), members)).toBe(
      "938cc1385d53a4b90c61a55a08fa59249f5e54c235597c54b860674fbefb6288",
    );
  });

  it("treat a null tracking_id as empty and keep the sign of negative statuses", () => {
    const failed = { type: "transfer", id: "5", attributes: { status: -1, amount: "1.5" } };
    const untracked = { type: "deposit", id: "1", attributes: { tracking_id: null } };
    expect(signedMembers({ data: untracked, included: [failed] }, time)).toEqual({
      status: "-1",
      amount: "1.5",
      trackingId: "",
      time,
    });
    for (const bare of [{ type: "deposit" }, { type: "deposit", attributes: null }])
      expect(signedMembers({ data: bare, included: [] }, time).trackingId).toBe("");
  });

  it("pass the Standard Webhooks verifier, which rejects another body", () => {
    const secret = createHash("sha256").update("any 32 bytes").digest();
    const verifier = new Webhook(`whsec_${secret.toString("base64")}`);
    const seconds = Math.floor(systemClock.now() / 1_000_000);
    const body = JSON.stringify({ data, note: "größer als ASCII €" });
    const headers = {
      "webhook-id": "msg_1",
      "webhook-timestamp": String(seconds),
      "webhook-signature": webhookSignature(
        createSecretKey(secret),
        "msg_1",
        seconds,
        Buffer.from(body),
      ),
    };
    expect(verifier.verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => verifier.verify(body.replace("42", "43"), headers)).toThrow();
  });
});
