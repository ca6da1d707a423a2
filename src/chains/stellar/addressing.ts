import { StrKey } from "@stellar/stellar-sdk/base";
import { depositTagAt, depositTagIndex, ownFundsTag } from "../../currencies/deposit-tag.ts";
import { assert } from "../../platform/kernel/assert.ts";
import type { Destination, SharedAddressing } from "../port.ts";
import { addressOfKey, createStellarPayeeAddressing, watchKeyOf } from "./payee-addressing.ts";

/** Addressing of the hot account, from its Ed25519 public key; each deposit has a memo of its own. */
export function createStellarAddressing(hotKey: Uint8Array): SharedAddressing {
  assert(hotKey.length === 32, "an Ed25519 public key has 32 bytes");
  const address = addressOfKey(hotKey);
  const again = StrKey.encodeEd25519PublicKey(hotKey);
  assert(again === address, `two libraries spell an address of our own differently: ${address}`);
  const hot: Destination = { address, addressType: null, tag: null };
  const prefix = watchKeyOf(address, "");
  return {
    ...createStellarPayeeAddressing(),
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
