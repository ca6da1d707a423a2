import type { Coin } from "../../currencies/coin.ts";
import type { ChainId } from "../../currencies/currency.ts";
import type { EvmFacts } from "../../currencies/evm-facts.ts";
import { assert, present } from "../../platform/kernel/assert.ts";

/** One EVM chain, as its adapter needs it. */
export type EvmChain = EvmFacts & {
  readonly chain: ChainId;
  /**
   * The most that nodes let a transaction pay for its gas (gas limit times highest price), in wei: they refuse to broadcast any other. Null: they
   * have no limit.
   */
  readonly nodeFeeMost: bigint | null;
};

/** One coin: the default of Geth, Erigon and their relatives (`rpc.txfeecap`). Bor's and Coreth's are higher. */
const usualFeeMost = 10n ** 18n;

/** The network of the chain that is followed. */
export type EvmNetwork = {
  readonly chainId: number;
  /** Hash of block 0: distinguishes two networks with the same chain id. Null if it is not checked. */
  readonly genesisHash: string | null;
};

/** The chain of an EVM coin; any other coin is a bug. */
export function evmChainOf({ chain }: Coin): EvmChain {
  assert(chain.family === "evm", `${chain.id} is an EVM chain`);
  const facts = present(chain.facts, `facts of ${chain.id}`);
  return { ...facts, chain: chain.id, nodeFeeMost: usualFeeMost };
}
