import type { ChainAdapter } from "../../chains/chain-adapter.ts";
import type { ChainWriter } from "../../chains/paying-port.ts";
import type { Destination } from "../../chains/port.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Database, Executor } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import type { Money } from "../../platform/kernel/money.ts";
import type { OwnCoins } from "../spends/spend-context.ts";

/** What moving the deployment's own money on one chain takes. */
export type MoveContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly chain: Pick<ChainAdapter, "chain" | "addressing"> & { readonly writer: ChainWriter };
  readonly currencies: CurrencyRegistry;
  /** Null on account chains. */
  readonly coins: Pick<OwnCoins, "spendable" | "nextChange"> | null;
  /** What payouts that wait need in all, by currency, fees included. */
  readonly demand: (db: Executor, chain: string) => Promise<readonly Money[]>;
  /** Whether somebody, or the comparison of books and chain, has stopped the chain's payouts: then nothing is moved either. */
  readonly isStopped: (db: Executor, chain: string) => Promise<boolean>;
  /** Most that one transaction may burn, units of the chain's coin; null: as for a payout. */
  readonly feeCeiling: bigint | null;
};

export type ColdSettings = {
  /** Where the signer was told to let money go; a draft to any other address is refused there. */
  readonly address: Destination;
  /** Most that is to lie hot, by currency. */
  readonly ceilings: readonly Money[];
};

export type ConsolidationSettings = {
  /** So many coins are left alone. */
  readonly coinsMax: number;
  /** Most coins in one transaction. */
  readonly inputsMax: number;
  /** Fees are low when making one coin fewer costs at most this, units of the coin. */
  readonly feePerCoin: bigint;
};

/** At about 70 vbytes a coin: three satoshis for each. */
export const defaultConsolidationSettings: ConsolidationSettings = {
  coinsMax: 200,
  inputsMax: 100,
  feePerCoin: 210n,
};
