import type { ChainAdapter } from "../../chains/chain-adapter.ts";
import type { ChainWriter } from "../../chains/paying-port.ts";
import type { Destination } from "../../chains/port.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Database, Executor } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import type { Money } from "../../platform/kernel/money.ts";
import type { OwnCoins } from "../spends/spend-context.ts";

/** Everything needed to move the deployment's own money on one chain. */
export type MoveContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly chain: Pick<ChainAdapter, "chain" | "addressing"> & { readonly writer: ChainWriter };
  readonly currencies: CurrencyRegistry;
  /** Null on account chains. */
  readonly coins: Pick<OwnCoins, "spendable" | "nextChange"> | null;
  /** What waiting payouts need in total, by currency, fees included. */
  readonly demand: (db: Executor, chain: string) => Promise<readonly Money[]>;
  /** Whether the chain's payouts are paused: then nothing is moved either. */
  readonly isStopped: (db: Executor, chain: string) => Promise<boolean>;
  /** The most that one transaction may burn, in units of the chain's coin; null: as for a payout. */
  readonly feeCeiling: bigint | null;
};

export type ColdSettings = {
  /** The cold address in the signer's limits; the signer refuses any other. */
  readonly address: Destination;
  /** The most to keep in the hot account, by currency. */
  readonly ceilings: readonly Money[];
};

export type ConsolidationSettings = {
  /** How many coins are left alone. */
  readonly coinsMax: number;
  /** The most coins in one transaction. */
  readonly inputsMax: number;
  /** Fees are low if removing one coin costs at most this, in units of the coin. */
  readonly feePerCoin: bigint;
};

/** At about 70 vbytes per coin: three satoshis per vbyte. */
export const defaultConsolidationSettings: ConsolidationSettings = {
  coinsMax: 200,
  inputsMax: 100,
  feePerCoin: 210n,
};
