import type { ChainAdapter } from "../../chains/chain-adapter.ts";
import type { ChainSweeper, ChainWriter } from "../../chains/paying-port.ts";
import type { FindRate } from "../../currencies/rates/current-rate.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Database, Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import type { Money } from "../../platform/kernel/money.ts";
import type { SeparateAddressing } from "./deposit-address.ts";

export type SweepSettings = {
  /** The most deposit addresses in one transaction, and the most pending sweeping transactions on a chain. */
  readonly sourcesMax: number;
  readonly openMax: number;
  /** Money is swept if it is worth this many times its part of the fee. */
  readonly worthTimes: bigint;
  /** The most that one transaction may burn per address, in units of the coin; null: ten times the expected fee. */
  readonly feeCeiling: bigint | null;
  /** The first delay before a failed sweep is retried; it doubles each time, up to the maximum. */
  readonly retryMinSeconds: number;
  readonly retryMaxSeconds: number;
  /** A prepared address that has moved nothing for this long is released, unless its chain says otherwise. */
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

/** A chain whose deposit addresses are swept. */
export type SweptChain = Pick<ChainAdapter, "chain" | "keyspace" | "currencies"> & {
  readonly addressing: SeparateAddressing;
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
  /** What waiting payouts need in total, by currency, fees included. */
  readonly demand: (db: Executor, chain: string) => Promise<readonly Money[]>;
  /** Whether the chain's payouts are paused: then nothing is swept either. */
  readonly isStopped: (db: Executor, chain: string) => Promise<boolean>;
  readonly settings: SweepSettings;
};

/** The chain as a swept chain; null if it needs no sweeping: coins and shared accounts are where payouts spend them from. */
export function sweptChain(adapter: ChainAdapter): SweptChain | null {
  const { writer, sweeper, addressing } = adapter;
  if (writer === null || sweeper === null || addressing.treasury === null) return null;
  if (addressing.source === "shared") return null;
  return { ...adapter, addressing, writer, sweeper };
}

/** Our own accounts, in the spelling that claims and drafts use. */
export function ownAccounts({ addressing }: Pick<SweptChain, "addressing">): {
  readonly hot: string;
  readonly gas: string;
} {
  const { hot, gas } = present(addressing.treasury, "accounts of our own");
  const paying = present(gas, "the account that pays for sweeping");
  return { hot: addressing.watchKey(hot), gas: addressing.watchKey(paying) };
}
