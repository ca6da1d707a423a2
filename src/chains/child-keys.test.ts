import { HDKey } from "@scure/bip32";
import { expect, it } from "vitest";
import { childKeysOf } from "./child-keys.ts";

/* The derived keys are those of BIP32's test vectors and of another implementation. */

it("derives the public key m/0'/1 of BIP32's test vector 1", () => {
  // https://github.com/bitcoin/bips/blob/master/bip-0032.mediawiki#test-vector-1
  const parent = HDKey.fromExtendedKey(
    "xpub68Gmy5EdvgibQVfPdqkBBCHxA5htiqg55crXYuXoQRKfDBFA1WEjWgP6LHhwBZeNK1VTsfTFUHCdrfp1bgwQ9xv5ski8PX9rL2dZXvgGDnw",
  );
  const child = HDKey.fromExtendedKey(
    "xpub6ASuArnXKPbfEwhqN6e3mwBcDTgzisQN1wXN9BJcM47sSikHjJf3UFHKkNAWbWMiGj7Wf5uMash7SyYq527Hqck2AxYysAA7xmALppuCkwQ",
  );
  expect(childKeysOf(parent)(1).toBytes(true)).toEqual(child.publicKey);
});

it("derives the same keys as @scure/bip32, up to the last index", () => {
  const parent = HDKey.fromMasterSeed(new Uint8Array(32).fill(7)).derive("m/44'/60'/0'/0");
  const childAt = childKeysOf(parent);
  for (const index of [0, 1, 2, 255, 65_536, 2 ** 31 - 1])
    expect(childAt(index).toBytes(true)).toEqual(parent.deriveChild(index).publicKey);
});

it("refuses hardened indexes", () => {
  const childAt = childKeysOf(HDKey.fromMasterSeed(new Uint8Array(32).fill(7)));
  expect(() => childAt(2 ** 31)).toThrow("a non-hardened index");
  expect(() => childAt(-1)).toThrow("a non-hardened index");
});
