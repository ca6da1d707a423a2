import { isBuilt } from "../../currencies/chain-record.ts";
import type { Coin } from "../../currencies/coin.ts";
import { coins } from "../../currencies/coins.ts";
import type { ChainId } from "../../currencies/currency.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { KeyTree } from "../../signer/keys/account-paths.ts";
import { algorandFamily } from "./algorand.ts";
import { cardanoFamily } from "./cardano.ts";
import { evmFamily } from "./evm.ts";
import type { Family } from "./family.ts";
import { moneroFamily } from "./monero.ts";
import { stellarFamily } from "./stellar.ts";
import { tonFamily } from "./ton.ts";
import { tronFamily } from "./tron.ts";
import { utxoFamily } from "./utxo.ts";
import { xrplFamily } from "./xrpl.ts";

/** A family without an adapter has no entry. */
const families: Readonly<Partial<Record<Coin["chain"]["family"], (coin: Coin) => Family>>> = {
  utxo: utxoFamily,
  evm: evmFamily,
  tron: tronFamily,
  xrpl: xrplFamily,
  stellar: stellarFamily,
  algorand: algorandFamily,
  ton: tonFamily,
  cardano: cardanoFamily,
  monero: moneroFamily,
};

const byChain: ReadonlyMap<ChainId, Family> = new Map(
  coins
    .filter(({ chain }) => isBuilt(chain))
    .map((coin) => {
      const { id, family } = coin.chain;
      return [id, present(families[family], `family ${family}`)(coin)];
    }),
);

/** A chain that this program can follow, as its family treats it. Throws `InvariantViolation` for any other chain. */
export function familyOf(id: ChainId): Family {
  return present(byChain.get(id), `family of ${id}`);
}

/** Whether the chain's spends use coins (UTXOs) rather than the sequence of an account. */
export function isFundedByCoins(id: ChainId): boolean {
  return familyOf(id).funding === "coins";
}

/** The accounts of all chains that this program can follow, configured or not: a chain that is added later has its keys. */
export function keyTrees(): readonly KeyTree[] {
  const trees = [...byChain.values()].map(({ keyTree }) => [keyTree.keyspace, keyTree] as const);
  return [...new Map(trees).values()];
}
