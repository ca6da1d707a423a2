import type { Currency } from "../../currencies/currency.ts";
import { assert } from "../../platform/kernel/assert.ts";
import type { DerivedAddressing, Destination, PayeeAddressing } from "../port.ts";
import { parseTronAddress } from "./address.ts";
import { addressesBelow, addressesBelowAgain } from "./derive-address.ts";

/** Extended public keys of the deployment's own accounts: m/44'/195'/1' and m/44'/195'/2'. */
export type TronTreasuryXpubs = { readonly hot: string; readonly gas: string };

const mask = "^T[1-9A-HJ-NP-Za-km-z]{33}$";

/** Address operations that need no key. Refuses payments to the contracts of `currencies`. */
export function createTronPayeeAddressing(currencies: readonly Currency[]): PayeeAddressing {
  const contracts = new Set(
    currencies.flatMap(({ token }) => (token === null ? [] : [token.locator])),
  );
  return {
    types: [{ name: null, masks: [mask], isDefault: true }],
    watchKey: ({ address }) => address,
    parse: (text, tag) => {
      const address = tag === null ? parseTronAddress(text, contracts) : null;
      return address === null ? null : destination(address);
    },
  };
}

/**
 * Addressing from the account's extended public key (m/44'/195'/0'). `currencies` are those of the chain: payments to their
 * contracts are refused. Without `treasury` the deployment only receives.
 */
export function createTronAddressing(
  accountXpub: string,
  currencies: readonly Currency[],
  treasury: TronTreasuryXpubs | null = null,
): DerivedAddressing {
  const addressAt = addressesBelow(accountXpub);
  const addressAtAgain = addressesBelowAgain(accountXpub);
  return {
    ...createTronPayeeAddressing(currencies),
    source: "derived",
    depositAt: (index, addressType) => destination(addressAt(checkedIndex(index, addressType))),
    rederiveDepositAt: (index, addressType) =>
      destination(addressAtAgain(checkedIndex(index, addressType))),
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

function checkedIndex(index: number, addressType: string | null): number {
  assert(addressType === null, "TRON has one form of address");
  assert(
    Number.isInteger(index) && index >= 0 && index < 2 ** 31,
    "an index below the hardened ones",
  );
  return index;
}

function destination(address: string): Destination {
  return { address, addressType: null, tag: null };
}
