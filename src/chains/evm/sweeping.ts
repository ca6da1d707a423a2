import type { Currency } from "../../currencies/currency.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { Destination } from "../port.ts";
import type { EvmChain, EvmNetwork } from "./evm-chain.ts";
import type { EvmNode } from "./evm-node.ts";
import type { FeeMarket } from "./fee-market.ts";

export type EvmSweeperOptions = {
  readonly record: EvmChain;
  readonly network: EvmNetwork;
  readonly node: EvmNode;
  /** Those of this chain: its coin, and the tokens that have a contract. */
  readonly currencies: readonly Currency[];
  readonly treasury: { readonly hot: Destination; readonly gas: Destination };
};

/** The inputs for drafting a sweep; addresses in lower case. */
export type EvmSweeping = Omit<EvmSweeperOptions, "treasury"> & {
  readonly hot: string;
  readonly gasAccount: string;
  readonly delegate: string;
  readonly coin: CurrencyId;
  readonly market: FeeMarket;
  /** The token's contract; null for the coin. */
  readonly contractOf: (currency: CurrencyId) => string | null;
};
