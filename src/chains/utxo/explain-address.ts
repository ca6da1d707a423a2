import type { UtxoNetwork, UtxoNetworkName } from "../../currencies/utxo-facts.ts";
import { payeeOfAddress } from "./output-script.ts";
import type { UtxoChain } from "./utxo-chain.ts";

const networkNames: Readonly<Record<UtxoNetworkName, string>> = {
  main: "the main network",
  test: "the test network",
  regtest: "a private test network",
};

/** A sentence about a text that is no address of this network, see `PayeeAddressing.explain`. */
export function explainAddress(
  chain: UtxoChain,
  networkName: UtxoNetworkName,
  address: string,
): string | null {
  const names = Object.keys(chain.networks) as readonly UtxoNetworkName[];
  const other = names.find(
    (name) => name !== networkName && payeeOfAddress(chain.networks[name], address) !== null,
  );
  if (other !== undefined)
    return `This is an address of ${networkNames[other]}, and payments here are made on ${networkNames[networkName]}.`;
  const lower = address.toLowerCase();
  const known = chain.unpaid?.find(({ starts }) => starts.some((start) => lower.startsWith(start)));
  return known?.refusal ?? cashRefusal(chain.networks[networkName], address);
}

/** What is wrong with the prefix or the case of a CashAddr address. */
function cashRefusal({ cashAddressPrefix }: UtxoNetwork, address: string): string | null {
  if (cashAddressPrefix === undefined) return null;
  const parts = address.split(":");
  if (parts.length > 2)
    return `The address has more than one prefix: ${cashAddressPrefix}: comes once, or not at all.`;
  const [prefix = ""] = parts;
  if (parts.length === 2 && prefix.toLowerCase() !== cashAddressPrefix)
    return `The prefix of the address is not ${cashAddressPrefix}: but that of another network or chain.`;
  // Base58 has letters of both cases.
  const isCash = parts.length === 2 || /^[qprz][02-9ac-hj-np-z]{41}$/i.test(address);
  if (isCash && address !== address.toLowerCase() && address !== address.toUpperCase())
    return "The address mixes upper and lower case, which addresses of this form never do.";
  return null;
}
