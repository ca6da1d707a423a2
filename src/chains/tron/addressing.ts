import type { Currency } from "../../currencies/currency.ts";
import { createAccountAddressing, type TreasuryXpubs } from "../account-addressing.ts";
import type { DerivedAddressing } from "../port.ts";
import { addressesBelow, addressesBelowAgain } from "./derive-address.ts";
import { createTronPayeeAddressing } from "./payee-addressing.ts";

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
