import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { decryptPush, newBrowserKeys } from "../../../test/support/push-browser.ts";
import { arePushKeys, encryptPush, pushTextMax } from "./encrypt-push.ts";

/* The encryption of push messages against the example of RFC 8291, and against a browser's decryption. */

const bytes = (text: string): Buffer => Buffer.from(text.replaceAll(/\s/g, ""), "base64url");

/** RFC 8291, section 5 and appendix A. */
const example = {
  text: "When I grow up, I want to be a watermelon",
  publicKey: bytes(
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcx aOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  ),
  auth: bytes("BTBZMqHH6r4Tts7J_aSIgg"),
  secret: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
  salt: bytes("DGv6ra1nlYgDCS1FRnbzlw"),
  encrypted: `DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml
    mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT
    pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN`,
};

describe("encryptPush", () => {
  it("encrypts the example of RFC 8291", () => {
    const { text, publicKey, auth, secret, salt, encrypted } = example;
    const body = encryptPush(Buffer.from(text), { publicKey, auth }, { secret, salt, padding: 0 });
    expect(Buffer.from(body)).toEqual(bytes(encrypted));
  });

  it.each([0, 1, 2_000])(
    "is readable for its browser alone, with %i bytes of padding",
    (padding) => {
      const browser = newBrowserKeys();
      const text = Buffer.from("€ 10: Einzahlung 收款单");
      const new_ = { secret: randomBytes(32), salt: randomBytes(16), padding };
      const body = encryptPush(text, browser, new_);
      expect(body.length).toBe(86 + text.length + 1 + padding + 16);
      expect(decryptPush(body, browser)).toEqual(text);
      expect(() => decryptPush(body, newBrowserKeys())).toThrow();
      expect(() => decryptPush(body, { ...browser, auth: randomBytes(16) })).toThrow();
    },
  );

  it("fills the 4096 bytes that every push service takes, and no more", () => {
    const browser = newBrowserKeys();
    const new_ = { secret: randomBytes(32), salt: randomBytes(16), padding: 0 };
    expect(encryptPush(Buffer.alloc(pushTextMax), browser, new_)).toHaveLength(4_096);
    expect(() => encryptPush(Buffer.alloc(pushTextMax + 1), browser, new_)).toThrow();
  });
});

describe("arePushKeys", () => {
  it("accepts what browsers give and nothing that cannot be encrypted to", () => {
    const { publicKey, auth } = newBrowserKeys();
    expect(arePushKeys({ publicKey, auth })).toBe(true);
    const offCurve = Buffer.from(publicKey);
    offCurve[64] = (offCurve[64] ?? 0) ^ 1;
    for (const wrong of [
      { publicKey: offCurve, auth },
      { publicKey: Buffer.alloc(65, 4), auth },
      { publicKey: publicKey.subarray(1), auth },
      { publicKey, auth: auth.subarray(1) },
    ])
      expect(arePushKeys(wrong)).toBe(false);
  });
});
