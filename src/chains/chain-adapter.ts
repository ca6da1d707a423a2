import type { CurrencyId } from "../kernel/money.ts";
import type { ChainSweeper, ChainWriter } from "./paying-port.ts";
import type { Addressing, ChainReader, ImpossibleAnswer } from "./port.ts";

/** A chain as one of its nodes tells it. */
export type NodeReader = { readonly node: string; readonly reader: ChainReader };

/** The chain's nodes one by one, for what has to be known of a node: who said something, and whether another one agrees. */
export type ChainNodes = {
  /** All of them, in the order of the configuration. Names are stable and without credentials. */
  readonly readers: readonly NodeReader[];
  /** Those that may be asked now, the one in use first; empty while each one is set aside. */
  readonly ranked: () => readonly NodeReader[];
  /** Leaves a node alone for a growing while: it gave an answer that no honest node gives. */
  readonly setAside: (node: string, reason: ImpossibleAnswer) => void;
};

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
  /** Whichever node answers. */
  readonly reader: ChainReader;
  readonly nodes: ChainNodes;
  /** Null where the deployment only receives. */
  readonly writer: ChainWriter | null;
  /** Null where deposits need no emptying (chains of coins), or the deployment only receives. */
  readonly sweeper: ChainSweeper | null;
};
