import { readTag } from "../../currencies/read-tag.ts";
import {
  accountIdOf,
  classicAddress,
  readXAddress,
  type XrplNetworkKind,
  xAddressText,
} from "../../currencies/xrpl-address.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Destination, PayeeAddressing } from "../port.ts";

const classicMask = "^r[1-9A-HJ-NP-Za-km-z]{24,34}$";
const xMasks = {
  main: "^X[1-9A-HJ-NP-Za-km-z]{46}$",
  test: "^T[1-9A-HJ-NP-Za-km-z]{46}$",
};

/**
 * The ids of the special addresses (ACCOUNT_ZERO, ACCOUNT_ONE, ...) begin with zeros: nobody has their keys. The genesis account's key is
 * known to everyone.
 */
const zerosOfSpecial = 8;
const genesis = "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh";

/**
 * Address operations that need no key. A destination is a classic address with its tag beside it; an X-address that contains both is
 * another spelling of the same one.
 */
export function createXrplPayeeAddressing(network: XrplNetworkKind): PayeeAddressing {
  return {
    types: [{ name: null, masks: [classicMask, xMasks[network]], isDefault: true }],
    watchKey: ({ address, tag }) => watchKeyOf(address, tag),
    parse: (text, given) => {
      const read = readAddress(text, network);
      const stated = given === null ? { tag: null, faults: [] } : readDestinationTag(given);
      if (read === null || stated.faults.length > 0) return null;
      if (read.tag !== null && stated.tag !== null && read.tag !== stated.tag) return null;
      return { address: read.address, addressType: null, tag: read.tag ?? stated.tag };
    },
    spell: (destination) => ({
      "x-address": xAddressOf(destination, network),
      address: destination.address,
    }),
    combine: (destination) => (destination.tag === null ? null : xAddressOf(destination, network)),
  };
}

function xAddressOf({ address, tag }: Destination, network: XrplNetworkKind): string {
  const accountId = present(accountIdOf(address), "a classic address");
  return xAddressText({ accountId, tag, network });
}

/** `account` or `account:tag`. */
export function watchKeyOf(account: string, tag: string | null): string {
  return tag === null ? account : `${account}:${tag}`;
}

function readDestinationTag(tag: string) {
  return readTag("destination-tag", { tag, type: null }, "Addresses");
}

function readAddress(
  text: string,
  network: XrplNetworkKind,
): { readonly address: string; readonly tag: string | null } | null {
  const spelled = readXAddress(text);
  if (spelled !== null && spelled.network !== network) return null;
  const accountId = spelled?.accountId ?? accountIdOf(text);
  if (accountId === null || accountId.subarray(0, zerosOfSpecial).every((byte) => byte === 0))
    return null;
  const address = classicAddress(accountId);
  return address === genesis ? null : { address, tag: spelled?.tag ?? null };
}
