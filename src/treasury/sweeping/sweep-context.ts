import type { ChainAdapter } from "../../chains/chain-adapter.ts";
import type { ChainSweeper, ChainWriter } from "../../chains/paying-port.ts";
import type { FindRate } from "../../currencies/rates/current-rate.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Database, Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import type { Money } from "../../platform/kernel/money.ts";

export type SweepSettings = {
  /** Most deposit addresses in one transaction, and most sweeping transactions under way on a chain. */
  readonly sourcesMax: number;
  readonly openMax: number;
  /** Money is swept when it is worth so many times its part of the fee. */
  readonly worthTimes: bigint;
  /** Most that one transaction may burn for each address that it is about, units of the coin; null: ten times what is expected. */
  readonly feeCeiling: bigint | null;
  /** What could not be moved is tried again after this, then after twice as long and so on, up to the most. */
  readonly retryMinSeconds: number;
  readonly retryMaxSeconds: number;
  /** A delegation that moved nothing for so long is ended. */
  readonly idleSeconds: number;
};

export const defaultSweepSettings: SweepSettings = {
  sourcesMax: 40,
  openMax: 10,
  worthTimes: 5n,
  feeCeiling: null,
  retryMinSeconds: 600,
  retryMaxSeconds: 86_400,
  idleSeconds: 7 * 86_400,
};

/** A chain whose deposit addresses are emptied. */
export type SweptChain = Pick<ChainAdapter, "chain" | "keyspace" | "currencies" | "addressing"> & {
  readonly writer: ChainWriter;
  readonly sweeper: ChainSweeper;
};

export type SweepContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly chain: SweptChain;
  readonly currencies: CurrencyRegistry;
  readonly findRate: FindRate;
  /** What payouts that wait need in all, by currency, fees included. */
  readonly demand: (db: Executor, chain: string) => Promise<readonly Money[]>;
  /** Whether somebody, or the comparison of books and chain, has stopped the chain's payouts: then nothing is swept either. */
  readonly isStopped: (db: Executor, chain: string) => Promise<boolean>;
  readonly settings: SweepSettings;
};

/** The chain as it is swept; null for one that needs no sweeping. */
export function sweptChain(adapter: ChainAdapter): SweptChain | null {
  const { writer, sweeper, addressing } = adapter;
  if (writer === null || sweeper === null || addressing.treasury === null) return null;
  return { ...adapter, writer, sweeper };
}

/** The accounts of our own, in the form that claims and drafts name accounts in. */
export function ownAccounts({ addressing }: Pick<SweptChain, "addressing">): {
  readonly hot: string;
  readonly gas: string;
} {
  const { hot, gas } = present(addressing.treasury, "accounts of our own");
  return { hot: addressing.watchKey(hot), gas: addressing.watchKey(gas) };
}
