import type { CurrencyId } from "../../platform/kernel/money.ts";

/** A chain of the deployment, as configured. */
export type OperatedChain = {
  /** Code of its coin. */
  readonly chain: string;
  readonly name: string;
  readonly network: "mainnet" | "testnet" | "regtest";
  /** Deepest reorg that is undone automatically, in blocks; null if inclusion is final. */
  readonly reorgLimit: number | null;
  /** How payments are funded: from coins at many addresses, or from one account. */
  readonly funding: "coins" | "account";
  /** The keyspace of its addresses in `treasury_address`. */
  readonly keyspace: string;
  readonly coin: CurrencyId;
  /** The currencies that can be paid on it, its coin first. */
  readonly currencies: readonly CurrencyId[];
};
