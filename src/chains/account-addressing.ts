import { assert } from "../platform/kernel/assert.ts";
import type { DerivedAddressing, Destination, PayeeAddressing } from "./port.ts";

/** Extended public keys of the deployment's own accounts: m/44'/coin type'/1' and m/44'/coin type'/2'. */
export type TreasuryXpubs = { readonly hot: string; readonly gas: string };

/** The addresses below an account's extended public key, by index. */
export type AddressesBelow = (accountXpub: string) => (index: number) => string;

/**
 * Addressing from an account's extended public key (m/44'/coin type'/0') on a chain with one form of address, which two
 * implementations derive. Without `treasury` the deployment only receives. Throws `InvariantViolation` when the implementations
 * derive different addresses of our own accounts.
 */
export function createAccountAddressing(
  payees: PayeeAddressing,
  [addressesBelow, addressesBelowAgain]: readonly [AddressesBelow, AddressesBelow],
  accountXpub: string,
  treasury: TreasuryXpubs | null,
): DerivedAddressing {
  const addressAt = addressesBelow(accountXpub);
  const addressAtAgain = addressesBelowAgain(accountXpub);
  const ownAddress = (xpub: string): Destination => {
    const address = addressesBelow(xpub)(0);
    assert(
      addressesBelowAgain(xpub)(0) === address,
      `two libraries derive different addresses of our own: ${address}`,
    );
    return destination(address);
  };
  return {
    ...payees,
    source: "derived",
    depositAt: (index, addressType) => destination(addressAt(checked(index, addressType))),
    rederiveDepositAt: (index, addressType) =>
      destination(addressAtAgain(checked(index, addressType))),
    changeAt: null,
    treasury:
      treasury === null ? null : { hot: ownAddress(treasury.hot), gas: ownAddress(treasury.gas) },
  };
}

function checked(index: number, addressType: string | null): number {
  assert(addressType === null, "the chain has one form of address");
  assert(
    Number.isInteger(index) && index >= 0 && index < 2 ** 31,
    "an index below the hardened ones",
  );
  return index;
}

function destination(address: string): Destination {
  return { address, addressType: null, tag: null };
}
