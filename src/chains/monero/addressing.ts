import { moneroAddressText } from "../../currencies/monero-address.ts";
import type { MoneroAddressPrefixes } from "../../currencies/monero-facts.ts";
import { assert } from "../../platform/kernel/assert.ts";
import type { DerivedAddressing, Destination } from "../port.ts";
import {
  type SubaddressIndex,
  type SubaddressKeys,
  subaddressKeys,
  subaddressKeysAgain,
  type ViewKeys,
} from "./crypto/subaddress.ts";
import { createMoneroPayeeAddressing } from "./payee-addressing.ts";

const indexEnd = 2 ** 31;

/**
 * Addresses of one Monero account. Deposit number n has subaddress 0/(n + 1). Change comes back to the account's own address 0/0, which is
 * change address 0 and takes the operator's money; wallets use no other one. Change addresses above it, the subaddresses of account 1,
 * exist because the port counts them, and nobody is shown them. Throws `InvariantViolation` when two implementations derive different keys.
 */
export function createMoneroAddressing(
  prefixes: MoneroAddressPrefixes,
  keys: ViewKeys,
): DerivedAddressing {
  const addressOf = (index: SubaddressIndex, derive: typeof subaddressKeys): Destination => {
    const isPrimary = index.major === 0 && index.minor === 0;
    return toDestination(derive(keys, index), isPrimary ? "standard" : "subaddress", prefixes);
  };
  return {
    ...createMoneroPayeeAddressing(prefixes),
    source: "derived",
    depositAt: (index, addressType) =>
      addressOf(depositIndex(checked(index, addressType)), subaddressKeys),
    rederiveDepositAt: (index, addressType) =>
      addressOf(depositIndex(checked(index, addressType)), subaddressKeysAgain),
    changeAt: (index) => {
      const at = changeIndex(checked(index, null));
      const destination = addressOf(at, subaddressKeys);
      assert(
        addressOf(at, subaddressKeysAgain).address === destination.address,
        `two implementations derive different addresses of our own: ${destination.address}`,
      );
      return destination;
    },
    treasury: null,
  };
}

function depositIndex(index: number): SubaddressIndex {
  return { major: 0, minor: index + 1 };
}

function changeIndex(index: number): SubaddressIndex {
  return { major: index === 0 ? 0 : 1, minor: index };
}

function checked(index: number, addressType: string | null): number {
  assert(addressType === null, "the chain has one form of address");
  assert(Number.isInteger(index) && index >= 0 && index < indexEnd, "an index of 31 bits");
  return index;
}

function toDestination(
  { spendKey, viewKey }: SubaddressKeys,
  kind: "standard" | "subaddress",
  prefixes: MoneroAddressPrefixes,
): Destination {
  const address = moneroAddressText({ kind, spendKey, viewKey, paymentId: null }, prefixes);
  return { address, addressType: null, tag: null };
}
