import { isBuilt } from "../../currencies/chain-record.ts";
import type { Coin } from "../../currencies/coin.ts";
import { coins, findCoin } from "../../currencies/coins.ts";
import type { ChainId } from "../../currencies/currency.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import type { KeyTree } from "../../signer/keys/account-paths.ts";
import { evmFamily } from "./evm.ts";
import type { Family } from "./family.ts";
import { utxoFamily } from "./utxo.ts";

/** Whatever distinguishes families follows from this choice. A family without an adapter has no entry. */
const families: Readonly<Partial<Record<Coin["chain"]["family"], (coin: Coin) => Family>>> = {
  utxo: utxoFamily,
  evm: evmFamily,
};

/** A chain that this program can follow, as its family treats it. Throws `InvariantViolation` for any other chain. */
export function familyOf(id: ChainId): Family {
  const coin = present(findCoin(id), `coin of ${id}`);
  const { chain } = coin;
  assert(isBuilt(chain), `chain ${id} is not built`);
  return present(families[chain.family], `family ${chain.family}`)(coin);
}

/** Whether the chain's spends use coins (UTXOs) rather than the sequence of an account. */
export function isFundedByCoins(id: ChainId): boolean {
  return familyOf(id).funding === "coins";
}

/** The accounts of all chains that this program can follow, configured or not: a chain that is added later has its keys. */
export function keyTrees(): readonly KeyTree[] {
  const trees = coins
    .filter(({ chain }) => isBuilt(chain))
    .map(({ chain }) => familyOf(chain.id).keyTree);
  return [...new Map(trees.map((tree) => [tree.keyspace, tree])).values()];
}
