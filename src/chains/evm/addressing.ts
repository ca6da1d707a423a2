import type { Currency } from "../../currencies/currency.ts";
import { assert } from "../../platform/kernel/assert.ts";
import type { DerivedAddressing, Destination } from "../port.ts";
import { addressesBelow } from "./derive-address.ts";
import { createEvmPayeeAddressing } from "./payee-addressing.ts";
import { addressesBelowAgain } from "./rederive-address.ts";

/** Extended public keys of the deployment's own accounts: m/44'/60'/1' and m/44'/60'/2'. */
export type TreasuryXpubs = { readonly hot: string; readonly gas: string };

/**
 * Addressing from the account's extended public key (m/44'/60'/0'). `currencies` are those of the chain: payments to
 * their contracts are refused. Without `treasury` the deployment only receives.
 */
export function createEvmAddressing(
  accountXpub: string,
  currencies: readonly Currency[],
  treasury: TreasuryXpubs | null = null,
): DerivedAddressing {
  const addressAt = addressesBelow(accountXpub);
  const addressAtAgain = addressesBelowAgain(accountXpub);
  return {
    ...createEvmPayeeAddressing(currencies),
    source: "derived",
    depositAt: (index, addressType) => destination(addressAt(checked(index, addressType))),
    rederiveDepositAt: (index, addressType) =>
      destination(addressAtAgain(checked(index, addressType))),
    changeAt: null,
    treasury:
      treasury === null ? null : { hot: ownAddress(treasury.hot), gas: ownAddress(treasury.gas) },
  };
}

/**
 * The single address that one of our own accounts uses, at index 0. Throws `InvariantViolation` when two libraries derive
 * different addresses.
 */
function ownAddress(xpub: string): Destination {
  const address = addressesBelow(xpub)(0);
  assert(
    addressesBelowAgain(xpub)(0) === address,
    `two libraries derive different addresses of our own: ${address}`,
  );
  return destination(address);
}

function checked(index: number, addressType: string | null): number {
  assert(addressType === null, "EVM chains have one form of address");
  assert(
    Number.isInteger(index) && index >= 0 && index < 2 ** 31,
    "an index below the hardened ones",
  );
  return index;
}

function destination(address: string): Destination {
  return { address, addressType: null, tag: null };
}
