import { readFile } from "node:fs/promises";
import { type AccessChanges, watchAccess } from "../../accounts/access-changes.ts";
import type { ChainSwitches } from "../../currencies/decide-availability.ts";
import { deploymentCurrencies } from "../../currencies/deployment-currencies.ts";
import {
  createFindAvailability,
  type FindAvailability,
} from "../../currencies/find-availability.ts";
import type { FindKeyspace } from "../../currencies/keyspace.ts";
import { createFindRate } from "../../currencies/rates/create-find-rate.ts";
import type { FindRate, FreezeRates } from "../../currencies/rates/current-rate.ts";
import { type CurrencyRegistry, createRegistry } from "../../currencies/registry.ts";
import type { DepositContext } from "../../deposits/payments/reconsider.ts";
import { createRefundKeeper } from "../../deposits/resolve/follow-refunds.ts";
import { returnKeeper } from "../../deposits/unattributed/follow-returns.ts";
import { combineRefundListeners, type RefundListener } from "../../payouts/refund-listener.ts";
import type { ApprovePayout } from "../../payouts/send/payout-intent.ts";
import { type ClockGuard, createClockGuard } from "../../platform/db/clock-guard.ts";
import { connect } from "../../platform/db/connect.ts";
import type { Database } from "../../platform/db/database.ts";
import { readFromReplica } from "../../platform/db/replica-reads.ts";
import { assert } from "../../platform/kernel/assert.ts";
import type { CallerScope } from "../../platform/kernel/caller.ts";
import type { Random } from "../../platform/kernel/random.ts";
import { createSeal, type Seal } from "../../platform/kernel/seal.ts";
import type { World } from "../../platform/kernel/world.ts";
import { readApprovalKey } from "../../signer/keys/approval-key.ts";
import type { Config } from "../config/config.ts";
import { currencySettings } from "../config/currency-settings.ts";
import { positionLimits } from "../config/position-limits.ts";
import { rateMargins } from "../config/rate-margins.ts";
import { secondOpinionRule } from "../config/second-opinion-rule.ts";
import { familyOf } from "../families/families.ts";
import { createCallerScope } from "./caller-scope.ts";

/** What every process of a deployment needs. */
export type Foundation = World & {
  readonly config: Config;
  readonly db: Database;
  readonly accessChanges: AccessChanges;
  /** Whose request is being answered, for the database's fair turns. */
  readonly callers: CallerScope;
  readonly seal: Seal;
  readonly currencies: CurrencyRegistry;
  readonly enabledChains: ReadonlySet<string>;
  readonly chainSwitches: ChainSwitches;
  readonly findAvailability: FindAvailability;
  readonly findKeyspace: FindKeyspace;
  readonly findRate: FindRate;
  readonly freezeRates: FreezeRates;
  readonly baseUrl: string;
  readonly refunds: RefundListener;
  readonly clockGuard: ClockGuard;
  /** Null in processes that approve no payouts. */
  readonly approvePayout: ApprovePayout | null;
};

/**
 * Connects to the database and reads the data keys. `process` names this process to PostgreSQL. Throws when a key file is
 * invalid.
 */
export async function createFoundation(
  config: Config,
  world: World,
  process: "api" | "worker" | "cli",
): Promise<Foundation> {
  const { currencies: records, problems } = deploymentCurrencies(currencySettings(config));
  assert(problems.length === 0, `configuration: ${problems.map(({ message }) => message).join()}`);
  const currencies = createRegistry(records);
  const enabledChains = new Set(Object.keys(config.chains));
  const chainSwitches = { enabled: enabledChains, disabled: new Set(config.disabled_chains) };
  const seal = await readDataKeySeal(config, world.random);
  const approvalKey =
    process === "api" && config.payouts !== undefined
      ? await readApprovalKey(config.payouts.approval_key_file)
      : null;
  const callers = createCallerScope();
  const { db, accessChanges } = watchAccess(openDatabase(config, world, process, callers));
  const base: Omit<Foundation, "refunds"> = {
    ...world,
    config,
    db,
    accessChanges,
    callers,
    seal,
    currencies,
    enabledChains,
    chainSwitches,
    findAvailability: createFindAvailability(chainSwitches),
    findKeyspace: (id) => {
      const { chain } = currencies.get(id);
      return chain !== null && enabledChains.has(chain) ? familyOf(chain).keyspace : null;
    },
    ...createFindRate(db, currencies, world.clock, rateMargins(config, currencies)),
    baseUrl: config.base_url.replace(/\/+$/, ""),
    clockGuard: createClockGuard({ ...world, db, maxSkewMs: config.database.clock_skew_max_ms }),
    approvePayout: approvalKey?.approve ?? null,
  };
  const refunds = combineRefundListeners([createRefundKeeper(depositContext(base)), returnKeeper]);
  return { ...base, refunds };
}

/** Only api processes read from a replica: the others decide by what they read. */
function openDatabase(
  { database }: Config,
  { clock, logger }: World,
  process: "api" | "worker" | "cli",
  callers: CallerScope,
): Database {
  const applicationName = `sluice ${process}`;
  const primary = connect({
    callers,
    longConnections: database.long_connections,
    longConnectionsPerCaller: database.long_connections_per_account,
    url: database.url,
    clock,
    logger,
    lockTimeoutMs: database.lock_timeout_seconds * 1000,
    applicationName,
  });
  if (database.replica === undefined || process !== "api") return primary;
  return readFromReplica(primary, {
    url: database.replica.url,
    lagMaxMs: database.replica.lag_max_ms,
    connections: 2 * database.long_connections,
    connectionsPerCaller: 2 * database.long_connections_per_account,
    callers,
    clock,
    logger,
    applicationName,
  });
}

/** Reads the data keys: the first one seals, all of them open. Throws when a key file is invalid. */
export async function readDataKeySeal(config: Config, random: Random): Promise<Seal> {
  const keys = await Promise.all(config.keys.data_key_files.map(readDataKey));
  const [first, ...older] = keys;
  assert(first !== undefined, "no data key is configured");
  return createSeal(first, random, older);
}

/** A data key is 32 bytes, written as 64 hexadecimal digits. */
export async function readDataKey(file: string): Promise<Uint8Array> {
  const text = (await readFile(file, "utf8")).trim();
  if (!/^[0-9a-f]{64}$/i.test(text)) throw new Error(`${file} does not hold 64 hexadecimal digits`);
  return new Uint8Array(Buffer.from(text, "hex"));
}

/** The context in which deposits are decided. */
export function depositContext(foundation: Omit<Foundation, "refunds">): DepositContext {
  const { config, currencies, findRate, random, baseUrl } = foundation;
  return {
    currencies,
    findRate,
    random,
    baseUrl,
    isScreened: config.screening !== undefined,
    needsOpinion: secondOpinionRule(config, currencies),
    revalueAfterSeconds: config.deposits.revalue_after_seconds,
    positions: positionLimits(config, currencies),
  };
}
