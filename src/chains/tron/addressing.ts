import { type Currency, listedTokens } from "../../currencies/currency.ts";
import { createAccountAddressing, type TreasuryXpubs } from "../account-addressing.ts";
import type { DerivedAddressing, PayeeAddressing } from "../port.ts";
import { parseTronAddress } from "./address.ts";
import { addressesBelow, addressesBelowAgain } from "./derive-address.ts";

const mask = "^T[1-9A-HJ-NP-Za-km-z]{33}$";

/** Address operations that need no key. Refuses payments to the contracts of `currencies`. */
export function createTronPayeeAddressing(currencies: readonly Currency[]): PayeeAddressing {
  const contracts = listedTokens(currencies);
  return {
    types: [{ name: null, masks: [mask], isDefault: true }],
    watchKey: ({ address }) => address,
    parse: (text, tag) => {
      const address = tag === null ? parseTronAddress(text, contracts) : null;
      return address === null ? null : { address, addressType: null, tag: null };
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
  treasury: TreasuryXpubs | null = null,
): DerivedAddressing {
  const payees = createTronPayeeAddressing(currencies);
  return createAccountAddressing(
    payees,
    [addressesBelow, addressesBelowAgain],
    accountXpub,
    treasury,
  );
}
