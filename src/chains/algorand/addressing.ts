import { createHash } from "node:crypto";
import { algorandAddressText } from "../../currencies/algorand-address.ts";
import { assert } from "../../platform/kernel/assert.ts";
import type { CreatedAddressing, Destination } from "../port.ts";
import { createAlgorandPayeeAddressing } from "./payee-addressing.ts";

/** Ed25519 public keys of the deployment's own accounts, 32 bytes each. */
export type TreasuryKeys = { readonly hot: Uint8Array; readonly gas: Uint8Array };

/**
 * Addressing of deposits whose keys the signer creates. Without `treasury` the deployment only receives. Throws `InvariantViolation` when
 * two computations give different addresses of our own accounts.
 */
export function createAlgorandAddressing(treasury: TreasuryKeys | null): CreatedAddressing {
  const payees = createAlgorandPayeeAddressing();
  const ownAddress = (key: Uint8Array): Destination => {
    const address = algorandAddressText(key);
    assert(address === addressAgain(key), "two computations give the same address of our own");
    return destination(address);
  };
  return {
    ...payees,
    source: "created",
    addressOf: (key) => destination(algorandAddressText(key)),
    addressAgain: (key) => destination(addressAgain(key)),
    withWatchKey: destination,
    changeAt: null,
    treasury:
      treasury === null ? null : { hot: ownAddress(treasury.hot), gas: ownAddress(treasury.gas) },
  };
}

function destination(address: string): Destination {
  return { address, addressType: null, tag: null };
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** The address of a key by Node's hash and digits of our own. */
function addressAgain(key: Uint8Array): string {
  const checksum = createHash("sha512-256").update(key).digest().subarray(-4);
  const bits = [...key, ...checksum].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const digits = bits.match(/.{1,5}/g) ?? [];
  return digits.map((five) => alphabet.charAt(Number.parseInt(five.padEnd(5, "0"), 2))).join("");
}
