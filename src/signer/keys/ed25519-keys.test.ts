import { createPrivateKey, createPublicKey, verify } from "node:crypto";
import { mnemonicToSeedSync } from "@scure/bip39";
import { describe, expect, it } from "vitest";
import { present } from "../../platform/kernel/assert.ts";
import { deriveEd25519 } from "./ed25519-keys.ts";

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const seed = Buffer.from("000102030405060708090a0b0c0d0e0f", "hex");

/** Node's own Ed25519, from the 32 bytes of a private key (RFC 8410). */
const nodeKey = (secret: string) =>
  createPrivateKey({
    key: Buffer.from(`302e020100300506032b657004220420${secret}`, "hex"),
    format: "der",
    type: "pkcs8",
  });

describe("an Ed25519 key", () => {
  /* Test vector 1 of SLIP-10 for ed25519: path, private key, public key. */
  it.each([
    [
      "m/0'",
      "68e0fe46dfb67e368c75379acec591dad19df3cde26e63b93a8e704f1dade7a3",
      "8c8a13df77a28f3445213a0f432fde644acaa215fc72dcdf300d5efaa85d350c",
    ],
    [
      "m/0'/1'",
      "b1d0bad404bf35da785a64ca1ac54b2617211d2777696fbffaf208f746ae84f2",
      "1932a5270f335bed617d5b935c80aedb1a35bd9fc1e31acafd5372c30f5c1187",
    ],
    [
      "m/0'/1'/2'/2'/1000000000'",
      "8f94d394a8e8fd6b1bc2f3f49f5c47e385281d5c17e65324b0f62483e37e8793",
      "3c24da049451555d51a7014a37337aa4e12d41e485abccfa46b47dfb2af54b7a",
    ],
  ])("at %s is SLIP-10's, and signs what Node's Ed25519 signs", (path, secret, publicKey) => {
    const key = deriveEd25519(seed, path);
    expect(hex(key.publicKey)).toBe(publicKey);
    const message = Buffer.from("a message");
    const own = nodeKey(secret);
    expect(verify(null, message, createPublicKey(own), key.sign(message))).toBe(true);
    expect(verify(null, Buffer.from("another"), createPublicKey(own), key.sign(message))).toBe(
      false,
    );
  });

  /* Test 1 of SEP-5 (Stellar): the account GDRXE2BQUC3AZNPVFSCEZ76NJ3WWL25FYFK6RGZGIEKWE4SOOHSUJUJ6. */
  it("belongs to the account that Stellar wallets show for the same words", () => {
    const words = "illness spike retreat truth genius clock brain pass fit cave bargain toe";
    const { publicKey } = deriveEd25519(mnemonicToSeedSync(words), "m/44'/148'/0'");
    const strkey = decodeBase32("GDRXE2BQUC3AZNPVFSCEZ76NJ3WWL25FYFK6RGZGIEKWE4SOOHSUJUJ6");
    expect(hex(strkey.subarray(1, 33))).toBe(hex(publicKey));
  });

  it("has a path of hardened steps only", () => {
    for (const path of ["m", "", "m/0", "m/44'/0", "m/2147483648'", "0'", "m/x'", "m/0'/"])
      expect(() => deriveEd25519(seed, path)).toThrow(RangeError);
  });

  it("signs nothing after it was wiped", () => {
    const key = deriveEd25519(seed, "m/0'");
    key.wipe();
    expect(() => key.sign(new Uint8Array(1))).toThrow("wiped");
  });
});

/** RFC 4648. */
function decodeBase32(text: string): Uint8Array {
  const bits = Array.from(text, (letter) => {
    const value = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter);
    return value.toString(2).padStart(5, "0");
  }).join("");
  const bytes = present(bits.match(/.{8}/g), "bytes of base32");
  return Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2));
}
