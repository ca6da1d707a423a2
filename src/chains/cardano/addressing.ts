import type { CardanoNetworkId } from "../../currencies/cardano-address.ts";
import { assert } from "../../platform/kernel/assert.ts";
import type { DerivedAddressing, Destination } from "../port.ts";
import { createDerivation } from "./derive-address.ts";
import { createCardanoPayeeAddressing } from "./payee-addressing.ts";
import { createSecondDerivation } from "./rederive-address.ts";

/** Addresses below the account's extended public key (`acct_xvk`): role 0 for deposits, 1 for change. */
export function createCardanoAddressing(
  network: CardanoNetworkId,
  accountKey: string,
): DerivedAddressing {
  const deposits = createDerivation(accountKey, network.kind, 0);
  const depositsAgain = createSecondDerivation(accountKey, network.kind, 0);
  const change = createDerivation(accountKey, network.kind, 1);
  const changeAgain = createSecondDerivation(accountKey, network.kind, 1);
  return {
    ...createCardanoPayeeAddressing(network),
    source: "derived",
    depositAt: (index, addressType) => destination(deposits(checked(index, addressType))),
    rederiveDepositAt: (index, addressType) =>
      destination(depositsAgain(checked(index, addressType))),
    changeAt: (index) => {
      const address = change(checked(index, null));
      assert(
        changeAgain(index) === address,
        `two libraries derive different change addresses: ${address}`,
      );
      return destination(address);
    },
    treasury: null,
  };
}

function checked(index: number, addressType: string | null): number {
  assert(addressType === null || addressType === "", "the chain has one form of address");
  assert(
    Number.isInteger(index) && index >= 0 && index < 2 ** 31,
    "an index below the hardened ones",
  );
  return index;
}

function destination(address: string): Destination {
  return { address, addressType: null, tag: null };
}
