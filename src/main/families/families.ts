import { type ChainFamily, type ChainRecord, findChain } from "../../currencies/chains.ts";
import type { ChainId } from "../../currencies/currency.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import { evmFamily } from "./evm.ts";
import type { Family } from "./family.ts";
import { utxoFamily } from "./utxo.ts";

/** The families that the program has an adapter for. */
const families: Readonly<Partial<Record<ChainFamily, (chain: ChainRecord) => Family>>> = {
  utxo: utxoFamily,
  evm: evmFamily,
};

/** A chain that this program can follow, as its family treats it. Throws `InvariantViolation` for any other chain. */
export function familyOf(id: ChainId): Family {
  const chain = present(findChain(id), `chain ${id}`);
  assert(chain.isBuilt, `chain ${id} is not built`);
  return present(families[chain.family], `family ${chain.family}`)(chain);
}

/** Whether the chain's spends use coins (UTXOs) rather than the sequence of an account. */
export function isFundedByCoins(id: ChainId): boolean {
  return familyOf(id).funding === "coins";
}
