import type { TruthReader } from "./best-chain.ts";
import type { ChainActor } from "./chain-actor.ts";
import type { Delivery } from "./delivery.ts";
import type { SeenEvent } from "./feed-reader.ts";
import type { KnownDeposit } from "./load.ts";
import type { Sql } from "./open-sql.ts";
import type { RequestedPayout } from "./pay-out-load.ts";
import type { RequestedDecision } from "./settle-load.ts";

/** The result of checking one invariant against everything that happened. */
export type Finding = {
  readonly invariant: string;
  /** How many objects were checked: an invariant of nothing proves nothing. */
  readonly checked: number;
  readonly faults: readonly string[];
};

export type CheckedChain = { readonly actor: ChainActor; readonly reader: TruthReader };

/** Everything known from outside the service, and its database. */
export type Evidence = {
  readonly sql: Sql;
  readonly chains: readonly CheckedChain[];
  readonly deposits: readonly KnownDeposit[];
  readonly payouts: readonly RequestedPayout[];
  readonly decisions: readonly RequestedDecision[];
  readonly deliveries: readonly Delivery[];
  readonly feed: readonly SeenEvent[];
  /** For remarks that are no faults. */
  readonly print: (line: string) => void;
};
