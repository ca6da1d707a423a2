import { Bip32PrivateKey } from "@emurgo/cardano-serialization-lib-nodejs";
import { ed25519 } from "@noble/curves/ed25519.js";
import { mnemonicToEntropy } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { describe, expect, it } from "vitest";
import vectors from "../../../test/vectors/cardano-keys.json" with { type: "json" };
import { deriveExtendedEd25519, icarusRoot } from "./bip32-ed25519.ts";

const message = new TextEncoder().encode("what is signed");
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

describe("extended Ed25519 keys", () => {
  it.each(vectors.roots)("start at the master key of CIP-3 for the words %s", (words, root) => {
    expect(hex(icarusRoot(mnemonicToEntropy(words, wordlist)))).toBe(root);
  });

  it("derive and sign as Emurgo's library does", () => {
    const entropy = new Uint8Array(32).fill(7);
    const root = icarusRoot(entropy);
    const theirs = Bip32PrivateKey.from_bip39_entropy(Buffer.from(entropy), new Uint8Array());
    const hardened = 2 ** 31;
    for (const [role, index] of [
      [0, 0],
      [1, 5],
      [0, hardened - 1],
    ] as const) {
      const key = deriveExtendedEd25519(root, `m/1852'/1815'/3'/${role}/${index}`);
      const their = [1852 + hardened, 1815 + hardened, 3 + hardened, role, index].reduce(
        (parent, step) => parent.derive(step),
        theirs,
      );
      expect(hex(key.publicKey)).toBe(hex(their.to_public().to_raw_key().as_bytes()));
      expect(hex(key.chainCode)).toBe(hex(their.chaincode()));
      const signature = key.sign(message);
      expect(hex(signature)).toBe(hex(their.to_raw_key().sign(message).to_bytes()));
      expect(ed25519.verify(signature, message, key.publicKey)).toBe(true);
    }
  });

  it("sign nothing once they are wiped, and have no other paths", () => {
    const root = icarusRoot(new Uint8Array(16));
    const key = deriveExtendedEd25519(root, "m/1852'/1815'/0'/0/0");
    key.wipe();
    expect(() => key.sign(message)).toThrow(RangeError);
    for (const path of ["", "m", "1852'/1815'", "m/2147483648", "m/0x1"])
      expect(() => deriveExtendedEd25519(root, path)).toThrow(RangeError);
  });
});
