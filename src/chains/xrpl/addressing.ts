import { depositTagAt, depositTagIndex, ownFundsTag } from "../../currencies/deposit-tag.ts";
import type { XrplNetworkKind } from "../../currencies/xrpl-address.ts";
import { assert } from "../../platform/kernel/assert.ts";
import type { Destination, SharedAddressing } from "../port.ts";
import { hotKeyOf, hotKeyOfAgain } from "./derive-key.ts";
import { addressOfKey, addressOfKeyAgain } from "./key-address.ts";
import { createXrplPayeeAddressing, watchKeyOf } from "./payee-addressing.ts";

/** Addressing of the hot account, from its extended public key (m/44'/144'/1'); each deposit has a tag of its own. */
export function createXrplAddressing(network: XrplNetworkKind, hotXpub: string): SharedAddressing {
  const address = addressOfKey(hotKeyOf(hotXpub));
  const again = addressOfKeyAgain(hotKeyOfAgain(hotXpub));
  assert(again === address, `two libraries derive different addresses of our own: ${address}`);
  const hot: Destination = { address, addressType: null, tag: null };
  const prefix = watchKeyOf(address, "");
  return {
    ...createXrplPayeeAddressing(network),
    source: "shared",
    changeAt: null,
    treasury: { hot, gas: null },
    depositAt: (index) => ({ ...hot, tag: depositTagAt(index) }),
    depositIndexOf: depositTagIndex,
    ownFunds: { ...hot, tag: ownFundsTag },
    receivedUnder: (watchKey) => {
      if (watchKey === address) return { tag: null };
      return watchKey.startsWith(prefix) ? { tag: watchKey.slice(prefix.length) } : null;
    },
  };
}
