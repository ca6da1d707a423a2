import type {
  AddressSpelling,
  AddressTypeName,
  UtxoNetwork,
  UtxoNetworkName,
} from "../../currencies/utxo-facts.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { AddressType, PayeeAddressing } from "../port.ts";
import { explainAddress } from "./explain-address.ts";
import {
  addressOfPayee,
  addressTypeOf,
  base58Spelling,
  payeeOfAddress,
  scriptOfPayee,
} from "./output-script.ts";
import type { UtxoChain } from "./utxo-chain.ts";

/** Address operations that need no key; `names` are the address types offered. */
export function createUtxoPayeeAddressing(
  chain: UtxoChain,
  networkName: UtxoNetworkName,
  names: readonly AddressTypeName[] = chain.addressTypes,
): PayeeAddressing {
  const network = chain.networks[networkName];
  return {
    types: describeTypes(chain, network, names),
    watchKey: (destination) =>
      scriptOfPayee(
        present(payeeOfAddress(network, destination.address), `an address of ${chain.chain}`),
      ),
    parse: (address, tag) => {
      const payee = tag === null ? payeeOfAddress(network, address) : null;
      if (payee === null) return null;
      const addressType = nameOnTheWire(addressTypeOf(chain, payee));
      return { address: addressOfPayee(network, payee), addressType, tag: null };
    },
    explain: (address) => explainAddress(chain, networkName, address),
    ...(chain.spellings === undefined ? {} : { spell: spellerOf(chain.spellings, network) }),
  };
}

function spellerOf(
  spellings: readonly AddressSpelling[],
  network: UtxoNetwork,
): NonNullable<PayeeAddressing["spell"]> {
  return ({ address }) => {
    const payee = present(payeeOfAddress(network, address), "an address of the chain");
    const inBase58 = payee.kind === "p2pkh" || payee.kind === "p2sh";
    return Object.fromEntries(
      spellings.map((name) => [
        name,
        name === "legacy" && inBase58
          ? base58Spelling(network, payee)
          : addressOfPayee(network, payee),
      ]),
    );
  };
}

function describeTypes(
  chain: UtxoChain,
  network: UtxoNetwork,
  names: readonly AddressTypeName[],
): readonly AddressType[] {
  const preferred = names.includes(chain.defaultAddressType) ? chain.defaultAddressType : names[0];
  return names.map((name) => ({
    name: nameOnTheWire(name),
    masks: masksOf(network, name),
    isDefault: name === preferred,
  }));
}

/** Null for the only type of a chain, which the interface does not name. */
export function nameOnTheWire(name: AddressTypeName): string | null {
  return name === "" ? null : name;
}

/** Anchored and without nested repetition. A hint for clients; `parse` decides. */
function masksOf(network: UtxoNetwork, name: AddressTypeName): readonly string[] {
  const base58 = "[1-9A-HJ-NP-Za-km-z]{25,34}";
  switch (name) {
    case "":
      return [
        ...cashMasks(network),
        ...sourceMasks(network),
        `^[${network.publicKeyHashLetters}]${base58}$`,
      ];
    case "legacy":
      return [`^[${network.publicKeyHashLetters}]${base58}$`];
    case "p2sh-segwit":
      return [`^[${network.scriptHashLetters}]${base58}$`];
    case "bech32":
      return segwitMasks(network, "q", [38, 58]);
    case "bech32m":
      return segwitMasks(network, "p", [58]);
  }
}

/** With or without the prefix, all in lower case or all in upper case; `z` and `r` are token-aware. */
function cashMasks({ cashAddressPrefix }: UtxoNetwork): readonly string[] {
  if (cashAddressPrefix === undefined) return [];
  const lower = `^(?:${cashAddressPrefix}:)?[qprz][02-9ac-hj-np-z]{41}$`;
  return [lower, lower.toUpperCase()];
}

function sourceMasks({ transparentSourcePrefix }: UtxoNetwork): readonly string[] {
  if (transparentSourcePrefix === undefined) return [];
  const lower = `^${transparentSourcePrefix}1[02-9ac-hj-np-z]{38}$`;
  return [lower];
}

/** The part after prefix and version, checksum included: BIP173 allows all lower case or all upper case. */
function segwitMasks(
  { segwitPrefix }: UtxoNetwork,
  version: string,
  lengths: readonly number[],
): readonly string[] {
  const start = `${present(segwitPrefix, "a prefix of segwit addresses")}1${version}`;
  const mask = (prefix: string, letters: string): string =>
    `^${prefix}(?:${lengths.map((length) => `[${letters}]{${length}}`).join("|")})$`;
  return [mask(start, "ac-hj-np-z02-9"), mask(start.toUpperCase(), "AC-HJ-NP-Z02-9")];
}
