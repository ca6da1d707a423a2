import { createEvmPayeeAddressing } from "../../chains/evm/payee-addressing.ts";
import type { PayeeAddressing } from "../../chains/port.ts";
import { createUtxoPayeeAddressing } from "../../chains/utxo/payee-addressing.ts";
import { findUtxoChain } from "./chain-keyspace.ts";
import { utxoNetworks } from "./chain-network.ts";
import type { Foundation } from "./foundation.ts";

/** Parses receiver addresses on a chain of the deployment; null for a chain that it does not run. */
export function payeeAddressing(
  { config, currencies }: Pick<Foundation, "config" | "currencies">,
  chain: string,
): PayeeAddressing | null {
  const settings = config.chains[chain];
  if (settings === undefined) return null;
  const utxo = findUtxoChain(chain);
  return utxo === null
    ? createEvmPayeeAddressing(currencies.onChain(chain))
    : createUtxoPayeeAddressing(utxo, utxoNetworks[settings.network]);
}
