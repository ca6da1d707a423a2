import { depositTagAt, depositTagIndex, ownFundsTag } from "../../currencies/deposit-tag.ts";
import { type TonNetworkKind, tonAddressText } from "../../currencies/ton-address.ts";
import { assert } from "../../platform/kernel/assert.ts";
import type { Destination, SharedAddressing } from "../port.ts";
import { highloadAccountId, highloadAccountIdAgain } from "./highload-wallet.ts";
import { createTonPayeeAddressing, watchKeyOf } from "./payee-addressing.ts";

/** Addressing of the hot account, from its Ed25519 public key; each deposit has a comment of its own. */
export function createTonAddressing(network: TonNetworkKind, hotKey: Uint8Array): SharedAddressing {
  const address = tonAddressText(highloadAccountId(hotKey), network);
  const again = tonAddressText(highloadAccountIdAgain(hotKey), network);
  assert(again === address, `two computations of an address of our own differ: ${address}`);
  const hot: Destination = { address, addressType: null, tag: null };
  const prefix = watchKeyOf(address, "");
  return {
    ...createTonPayeeAddressing(network),
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
