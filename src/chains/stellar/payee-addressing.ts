import { readTag } from "../../currencies/read-tag.ts";
import {
  explainStellarText,
  readStellarAddress,
  stellarAddressText,
} from "../../currencies/stellar-address.ts";
import type { PayeeAddressing } from "../port.ts";

const masks = ["^G[A-D][A-Z2-7]{54}$", "^M[A-D][A-Z2-7]{67}$"];

/**
 * Address operations that need no key. A destination is a G-address with its memo beside it; an M-address that contains both is another
 * spelling of the same one.
 */
export function createStellarPayeeAddressing(): PayeeAddressing {
  return {
    types: [{ name: null, masks, isDefault: true }],
    watchKey: ({ address, tag }) => watchKeyOf(address, tag),
    parse: (text, given) => {
      const read = readStellarAddress(text);
      const stated =
        given === null
          ? { tag: null, faults: [] }
          : readTag("memo", { tag: given, type: "1" }, "Addresses");
      // Nobody has the key that is all zeros.
      if (read === null || stated.faults.length > 0 || read.publicKey.every((byte) => byte === 0))
        return null;
      if (read.id !== null && stated.tag !== null && read.id !== stated.tag) return null;
      return {
        address: addressOfKey(read.publicKey),
        addressType: null,
        tag: read.id ?? stated.tag,
      };
    },
    combine: ({ address, tag }) => {
      const read = readStellarAddress(address);
      return read === null || tag === null ? null : stellarAddressText({ ...read, id: tag });
    },
    explain: explainStellarText,
  };
}

/** The G-address of a public key. */
export function addressOfKey(publicKey: Uint8Array): string {
  return stellarAddressText({ publicKey, id: null });
}

/** `account` or `account:memo`. */
export function watchKeyOf(account: string, tag: string | null): string {
  return tag === null ? account : `${account}:${tag}`;
}
