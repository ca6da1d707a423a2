import type { CurrencyId } from "../../platform/kernel/money.ts";

/** A chain of the deployment, as its configuration describes it. */
export type OperatedChain = {
  /** Alpha code of its coin. */
  readonly chain: string;
  readonly name: string;
  readonly network: "mainnet" | "testnet" | "regtest";
  /** How deep a re-org is undone without asking, in blocks; null where included means final. */
  readonly reorgLimit: number | null;
  /** How payments are funded there: from coins at many addresses, or from one account. */
  readonly funding: "coins" | "account";
  /** Names the set of addresses in `treasury_address`. */
  readonly keyspace: string;
  readonly coin: CurrencyId;
  /** What can be paid there, its coin first. */
  readonly currencies: readonly CurrencyId[];
};
