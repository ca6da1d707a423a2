import type { Chain } from "./chain.ts";
import type { Faucet } from "./faucet.ts";
import type { Ledger } from "./ledger.ts";
import type { Pool } from "./pool.ts";
import type { Methods } from "./rpc.ts";
import type { LedgerRules } from "./rules.ts";

/** What a node's methods answer from. */
export type LedgerNode = {
  readonly rules: LedgerRules;
  readonly chain: Chain;
  readonly pool: Pool;
  readonly ledger: Ledger;
  readonly faucet: Faucet;
};

/** One kind of private node: its chain's rules and how it answers. */
export type SimulatedNode = {
  readonly rules: LedgerRules;
  /** Methods beside those of `familyMethods` and the wallet; they win over methods of the same name. */
  readonly methods: (node: LedgerNode) => Methods;
};
