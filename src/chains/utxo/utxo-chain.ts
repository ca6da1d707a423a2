import type { Coin } from "../../currencies/coin.ts";
import type { ChainId } from "../../currencies/currency.ts";
import type { UtxoFacts } from "../../currencies/utxo-facts.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";

/** One chain of the Bitcoin family, as its adapter needs it. */
export type UtxoChain = UtxoFacts & {
  readonly chain: ChainId;
  readonly currency: CurrencyId;
  /** SLIP-44; every test network uses 1. */
  readonly coinType: number;
};

/** The chain of a built coin of the Bitcoin family; any other coin is a bug. */
export function utxoChainOf({ chain, coin }: Coin): UtxoChain {
  assert(chain.family === "utxo", `${chain.id} is a chain of coins`);
  const { id, coinType, facts } = chain;
  return { ...present(facts, `facts of ${id}`), chain: id, currency: coin.id, coinType };
}
