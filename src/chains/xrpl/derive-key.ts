import { assertSuccess } from "@bitauth/libauth/build/lib/format/error.js";
import {
  decodeHdPublicKey,
  deriveHdPublicNodeChild,
} from "@bitauth/libauth/build/lib/key/hd-key.js";
import { HDKey } from "@scure/bip32";
import { assert, present } from "../../platform/kernel/assert.ts";

/**
 * The compressed public key m/44'/144'/1'/0/0 below the hot account's extended public key (BIP-32, BIP-44). Throws for anything but the
 * extended public key of an account.
 */
export function hotKeyOf(accountXpub: string): Uint8Array {
  const account = HDKey.fromExtendedKey(accountXpub, versionsOf(accountXpub));
  assert(account.privateKey === null, "watch-only: an extended public key is needed here");
  assert(account.depth === 3, "the extended public key is not that of an account");
  return present(account.deriveChild(0).deriveChild(0).publicKey, "a child has a public key");
}

/** Derives the same key with another implementation (libauth), so that a fault in either is found before an address is used. */
export function hotKeyOfAgain(accountXpub: string): Uint8Array {
  const { node } = assertSuccess(decodeHdPublicKey(accountXpub));
  const branch = assertSuccess(deriveHdPublicNodeChild(node, 0));
  return assertSuccess(deriveHdPublicNodeChild(branch, 0)).publicKey;
}

/** Version bytes of BIP-32: keys of test networks start with tpub. */
function versionsOf(accountXpub: string): { readonly public: number; readonly private: number } {
  return accountXpub.startsWith("t")
    ? { public: 0x043587cf, private: 0x04358394 }
    : { public: 0x0488b21e, private: 0x0488ade4 };
}
