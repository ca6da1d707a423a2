import { createHash, createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import {
  type CallbackSecrets,
  type CallbackVerdict,
  type ReceivedCallback,
  verifyCallback,
} from "./verify-callback.ts";

// The signatures are created by Node's crypto and the Standard Webhooks library, independently of the service's code.

const credential = { login: "api_login", password: "api_password" };
const webhookSecret = `whsec_${createHash("sha256").update("any").digest("base64")}`;
const now = new Date("2025-01-02T03:04:15Z");
const time = "2025-01-02T03:04:05.000000Z";
const knownSign = "ceea5f29891eac447d7f5c0d76e7503f66f2aebe177c2554429e974cbb78f824";
const knownSignWithoutTransfer = "938cc1385d53a4b90c61a55a08fa59249f5e54c235597c54b860674fbefb6288";

const data = { type: "deposit", id: "1", attributes: { tracking_id: "order-42" } };
const transfer = { type: "transfer", id: "5", attributes: { status: 2, amount: "0.00100000" } };

function callback(document: object, changedBody?: string): ReceivedCallback {
  const body = JSON.stringify(document);
  return {
    body: changedBody ?? body,
    headers: {
      "Webhook-Id": "msg_1",
      "webhook-timestamp": String(now.getTime() / 1000),
      "webhook-signature": `v1,AAAA v2,x ${new Webhook(webhookSecret).sign("msg_1", now, body)}`,
    },
  };
}

const genuine = { data, included: [transfer], meta: { time, sign: knownSign } };
const verify = (received: ReceivedCallback, at = now): Promise<CallbackVerdict> =>
  verifyCallback(received, { credential, webhookSecret }, { now: at });

describe("verifyCallback", () => {
  it("accepts a callback with both signatures", async () => {
    expect(await verify(callback(genuine))).toEqual({
      isGenuine: true,
      id: "msg_1",
      document: genuine,
    });
  });

  it("accepts a body as bytes and a Headers object", async () => {
    const { body, headers } = callback(genuine);
    const received = {
      body: Buffer.from(body as string),
      headers: new Headers(headers as Record<string, string>),
    };
    expect((await verify(received)).isGenuine).toBe(true);
  });

  it("treats status and amount as empty without a transfer", async () => {
    const meta = { time, sign: knownSignWithoutTransfer };
    expect((await verify(callback({ data, included: [], meta }))).isGenuine).toBe(true);
  });

  it("treats a null tracking_id as empty", async () => {
    const key = createHash("sha256").update("api_loginapi_password").digest();
    const sign = createHmac("sha256", key).update(`20.00100000${time}`).digest("hex");
    const untracked = { ...data, attributes: { tracking_id: null } };
    const document = { data: untracked, included: [transfer], meta: { time, sign } };
    expect((await verify(callback(document))).isGenuine).toBe(true);
  });

  it.each([
    ["a changed amount", JSON.stringify(genuine).replace("0.00100000", "0.00200000")],
    [
      "a change that only the webhook signature covers",
      JSON.stringify(genuine).replace('"id":"1"', '"id":"2"'),
    ],
    ["added whitespace", `${JSON.stringify(genuine)} `],
    ["JSON that is not a document", "[]"],
    ["malformed JSON", "{"],
    ["a document without meta", JSON.stringify({ data, included: [] })],
  ])("rejects %s", async (_, body) => {
    expect((await verify(callback(genuine, body))).isGenuine).toBe(false);
  });

  it("verifies meta.sign without a webhook secret", async () => {
    const check = (body: string) =>
      verifyCallback(callback(genuine, body), { credential }, { now });
    const text = JSON.stringify(genuine);
    expect((await check(text)).isGenuine).toBe(true);
    for (const changed of [
      text.replace('"status":2', '"status":1'),
      text.replace("order-42", "order-43"),
      text.replace(":05.000000Z", ":06.000000Z"),
      text.replace(knownSign, knownSign.toUpperCase()),
      text.replace(knownSign, ""),
    ]) {
      expect(await check(changed)).toEqual({
        isGenuine: false,
        reason: "meta.sign does not match",
      });
    }
  });

  it("rejects another credential or secret", async () => {
    const otherCredential = { credential: { login: "api_login", password: "other" } };
    const otherSecret = { webhookSecret: `whsec_${btoa("another secret of 24 bytes or so")}` };
    for (const secrets of [otherCredential, otherSecret]) {
      expect((await verifyCallback(callback(genuine), secrets, { now })).isGenuine).toBe(false);
    }
  });

  it("accepts any secret or credential of a list", async () => {
    const otherSecret = `whsec_${btoa("another secret of 24 bytes or so")}`;
    const other = { login: "api_login", password: "other" };
    for (const secrets of [
      { webhookSecret: [otherSecret, webhookSecret] },
      { credential: [other, credential], webhookSecret: [webhookSecret] },
    ]) {
      expect((await verifyCallback(callback(genuine), secrets, { now })).isGenuine).toBe(true);
    }
    const others = { webhookSecret: [otherSecret], credential: [other] };
    expect((await verifyCallback(callback(genuine), others, { now })).isGenuine).toBe(false);
    const nothing = verifyCallback(callback(genuine), { webhookSecret: [] }, { now });
    await expect(nothing).rejects.toThrow("needs a credential");
  });

  it("rejects missing headers", async () => {
    expect((await verify({ ...callback(genuine), headers: {} })).isGenuine).toBe(false);
  });

  it("rejects a replayed old callback", async () => {
    const later = new Date(now.getTime() + 301_000);
    expect((await verify(callback(genuine), later)).isGenuine).toBe(false);
    const bySignOnly = await verifyCallback(callback(genuine), { credential }, { now: later });
    expect(bySignOnly).toEqual({ isGenuine: false, reason: "meta.time is too far from now" });
  });

  it("throws without a usable secret", async () => {
    await expect(verifyCallback(callback(genuine), {})).rejects.toThrow("needs a credential");
    for (const empty of ["", "whsec_"]) {
      const withEmpty = verifyCallback(callback(genuine), { webhookSecret: empty }, { now });
      await expect(withEmpty).rejects.toThrow("24 bytes or more");
    }
    // Such as an unset environment variable in a program without types.
    const secrets = { credential, webhookSecret: undefined } as unknown as CallbackSecrets;
    await expect(verifyCallback(callback(genuine), secrets)).rejects.toThrow("needs a credential");
  });
});
