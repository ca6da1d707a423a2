import type { CurrencyId } from "../kernel/money.ts";
import type { ChainSweeper, ChainWriter } from "./paying-port.ts";
import type { Addressing, ChainReader } from "./port.ts";

/** One chain: its parts, each null where the chain or the deployment does not have it. */
export type ChainAdapter = {
  readonly chain: string;
  /**
   * The set of addresses this chain shares: all EVM chains of a deployment have one (`"evm"`), so that a payment over
   * the wrong network is found; every other chain has its own.
   */
  readonly keyspace: string;
  readonly currencies: readonly CurrencyId[];
  readonly addressing: Addressing;
  readonly reader: ChainReader;
  /** Null where the deployment only receives. */
  readonly writer: ChainWriter | null;
  /** Null where deposits need no emptying (chains of coins), or the deployment only receives. */
  readonly sweeper: ChainSweeper | null;
};
