import type { AddressTypeName, UtxoNetwork, UtxoNetworkName } from "../../currencies/utxo-facts.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import type { DerivedAddressing, Destination } from "../port.ts";
import { createDerivation } from "./derive-address.ts";
import { createUtxoPayeeAddressing, nameOnTheWire } from "./payee-addressing.ts";
import { createSecondDerivation } from "./rederive-address.ts";
import type { UtxoChain } from "./utxo-chain.ts";

/** Extended public keys of accounts, one per address type offered. */
export type AccountKeys = Readonly<Partial<Record<AddressTypeName, string>>>;

type Derivations = Readonly<Record<"first" | "second", (index: number) => string>>;

/** BIP32 indices of non-hardened children are below this number. */
const indexEnd = 2 ** 31;

/**
 * Watch-only addresses `account/0/index`, and `account/1/index` of the default type for change (BIP44, BIP49, BIP84, BIP86).
 * Throws for invalid account keys, see `accountKeyVersion`.
 */
export function createAddressing(
  chain: UtxoChain,
  networkName: UtxoNetworkName,
  accountKeys: AccountKeys,
): DerivedAddressing {
  const network = chain.networks[networkName];
  const derivations = new Map<AddressTypeName, Derivations>();
  for (const name of chain.addressTypes) {
    const key = accountKeys[name];
    if (key === undefined) continue;
    derivations.set(name, {
      first: createDerivation(network, key, name, 0),
      second: createSecondDerivation(network, key, name, 0),
    });
  }
  const payees = createUtxoPayeeAddressing(chain, networkName, [...derivations.keys()]);
  const usual = payees.types.find(({ isDefault }) => isDefault);
  const defaultType =
    chain.addressTypes.find((name) => usual !== undefined && nameOnTheWire(name) === usual.name) ??
    null;
  const changeAt =
    defaultType === null
      ? null
      : createChange(network, present(accountKeys[defaultType], "its account key"), defaultType);

  const derive = (order: keyof Derivations) => (index: number, addressType: string | null) => {
    assertChildNumber(index);
    const name = present(
      (addressType ?? defaultType) as AddressTypeName | null,
      `${chain.chain} has no account key`,
    );
    const derivation = present(derivations.get(name), `${chain.chain} has no ${name} account key`);
    return { address: derivation[order](index), addressType: nameOnTheWire(name), tag: null };
  };

  return {
    ...payees,
    source: "derived",
    depositAt: derive("first"),
    rederiveDepositAt: derive("second"),
    changeAt,
    treasury: null,
  };
}

/** Throws `InvariantViolation` when two libraries derive different addresses: neither may be used. */
function createChange(
  network: UtxoNetwork,
  key: string,
  addressType: AddressTypeName,
): (index: number) => Destination {
  const first = createDerivation(network, key, addressType, 1);
  const second = createSecondDerivation(network, key, addressType, 1);
  return (index) => {
    assertChildNumber(index);
    const address = first(index);
    assert(
      second(index) === address,
      `two libraries derive different change addresses for index ${index}: ${address}`,
    );
    return { address, addressType: nameOnTheWire(addressType), tag: null };
  };
}

function assertChildNumber(index: number): void {
  assert(Number.isInteger(index) && index >= 0 && index < indexEnd, "a child number of BIP32");
}
