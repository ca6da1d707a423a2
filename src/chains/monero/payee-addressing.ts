import { readMoneroAddress } from "../../currencies/monero-address.ts";
import type { MoneroAddressPrefixes } from "../../currencies/monero-facts.ts";
import type { PayeeAddressing } from "../port.ts";
import { readPoint, toHex } from "./crypto/points.ts";

const mask = "^[1-9A-HJ-NP-Za-km-z]{95}(?:[1-9A-HJ-NP-Za-km-z]{11})?$";

/**
 * Address operations that need no key. Standard addresses, subaddresses and integrated addresses are paid, the latter with their payment id. A
 * payment is found by the public spend key alone, so that is the watch key.
 */
export function createMoneroPayeeAddressing(prefixes: MoneroAddressPrefixes): PayeeAddressing {
  return {
    types: [{ name: null, masks: [mask], isDefault: true }],
    watchKey: ({ address }) => {
      const parsed = readMoneroAddress(address, prefixes);
      return parsed === null ? address : toHex(parsed.spendKey);
    },
    parse: (address, tag) => {
      const parsed = tag === null ? readMoneroAddress(address, prefixes) : null;
      if (parsed === null || !isPublicKey(parsed.spendKey) || !isPublicKey(parsed.viewKey))
        return null;
      return { address, addressType: null, tag: null };
    },
  };
}

/** Whether a secret key can belong to it: other points would take a payment that nobody can spend. */
function isPublicKey(bytes: Uint8Array): boolean {
  const point = readPoint(bytes);
  return point !== null && !point.isSmallOrder() && point.isTorsionFree();
}
