import { walletType } from "../../../src/accounts/wallets/wallet.ts";
import {
  defaultFollowerSettings,
  type FollowerContext,
} from "../../../src/chains/follow/follower-session.ts";
import type { Deposit } from "../../../src/deposits/deposit.ts";
import { createDepositSink } from "../../../src/deposits/payments/block-sink.ts";
import { createRefundKeeper } from "../../../src/deposits/resolve/follow-refunds.ts";
import { returnKeeper } from "../../../src/deposits/unattributed/follow-returns.ts";
import { combineRefundListeners } from "../../../src/payouts/refund-listener.ts";
import type { Database } from "../../../src/platform/db/database.ts";
import { silentLogger } from "../../../src/platform/kernel/logger.ts";
import { systemRandom } from "../../../src/platform/kernel/system-random.ts";
import { formatTimestamp } from "../../../src/platform/kernel/timestamp.ts";
import type { TestDatabase } from "../../support/database.ts";
import {
  arrangeDeposit,
  arrangeWallet,
  btc,
  type DepositWorld,
  depositWorld,
  type Wallet,
} from "../../support/deposit-world.ts";
import { hangingClock } from "../../support/followed-chain.ts";
import { type PayingBack, payingBack } from "../../support/paying-back.ts";
import { fund } from "../../support/payout-world.ts";
import { createSimulatedChain, type SimulatedChain } from "../../support/simulated-chain.ts";
import { rememberEmptyTables } from "./empty-tables.ts";
import { lockWaitsOf, type ReadLockWaits } from "./lock-waits.ts";
import type { Weaver } from "./weaver.ts";
import { connectPrograms, type ProgramDatabase } from "./woven-database.ts";

/*
 * A deployment that receives bitcoin on a simulated chain: the real follower, decisions, expiry and routes, on a real database. Each
 * program has a world of its own, with its own connections; all share the clock and the chain.
 */

export const depositPrograms = [
  "outside",
  "follower",
  "decisions",
  "expiry",
  "owner",
  "admin",
  "spender",
] as const;

export type DepositProgram = (typeof depositPrograms)[number];

/** A program's view of the deployment. */
export type ProgramWorld = { readonly world: DepositWorld; readonly back: PayingBack };

/** What all histories share. */
export type DepositDeployment = {
  readonly database: TestDatabase;
  /** The same, without pauses: for what happens before and after the programs run. */
  readonly quiet: ProgramWorld;
  readonly worldOf: (program: DepositProgram) => ProgramWorld;
  readonly databases: ReadonlyMap<DepositProgram, ProgramDatabase>;
  readonly readLockWaits: ReadLockWaits;
  readonly empty: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

export async function startDepositDeployment(database: TestDatabase): Promise<DepositDeployment> {
  const base = depositWorld(database);
  const empty = await rememberEmptyTables(database);
  const databases = await connectPrograms(database, depositPrograms);
  const worldFor = (db: Database): ProgramWorld => {
    const context = { ...base.context, db };
    const refunds = combineRefundListeners([createRefundKeeper(context), returnKeeper]);
    const world: DepositWorld = {
      ...base,
      database: { ...database, db },
      context: { ...context, refunds },
    };
    return { world, back: payingBack(world) };
  };
  const worlds = new Map([...databases].map(([program, { db }]) => [program, worldFor(db)]));
  const quiet = worldFor(database.db);
  return {
    database,
    quiet,
    worldOf: (program) => worlds.get(program) ?? quiet,
    databases,
    readLockWaits: lockWaitsOf(database),
    empty,
    stop: async () => {
      await Promise.all([...databases.values()].map(({ close }) => close()));
    },
  };
}

export type DepositSite = {
  readonly deployment: DepositDeployment;
  readonly chain: SimulatedChain;
  readonly follower: FollowerContext;
  readonly shop: Wallet;
  /** Three of a Merchant wallet with an amount, two of them with a time limit; the fourth, of another wallet, receives whatever comes. */
  readonly deposits: readonly Deposit[];
  /** From now on the programs pause for this weaver; null: for none. */
  readonly weave: (weaver: Weaver | null) => void;
};

/** How long a deposit with a time limit may be paid. */
const timeLimitSeconds = 600;
/** What the deposits of the Merchant wallet request. */
export const requestedUnits = 100_000n;

const addresses = 12;
/** Its addresses are those of the simulated chain. */
export const depositKeyspace = {
  name: "btc",
  chain: "BTC",
  addressTypes: [],
  defaultAddressType: "",
};

/** Empties the database and creates a deployment whose deposits nobody has paid yet. */
export async function createDepositSite(deployment: DepositDeployment): Promise<DepositSite> {
  const { database, quiet, databases } = deployment;
  await deployment.empty();
  const { world } = quiet;
  const { clock } = world;
  // Longer than anything is cached.
  clock.advance(86_400);
  const chain = createSimulatedChain({ chain: "BTC", currencies: [btc], clock });
  const { addressing } = chain.adapter;
  for (let index = 0; index < addresses; index += 1) {
    const destination = addressing.depositAt(index, null);
    await database.sql(
      `insert into address (keyspace, watch_key, address, address_type, key_index, derived_at)
       values ($1, $2, $3, '', $4, $5::timestamptz)`,
      [
        ...[depositKeyspace.name, addressing.watchKey(destination), destination.address, index],
        formatTimestamp(clock.now()),
      ],
    );
  }
  const shop = await arrangeWallet(world, { type: walletType.merchant, currency: btc });
  const store = await arrangeWallet(world, { accountId: shop.accountId, currency: btc });
  await fund(world, shop, "0.005");
  const invoice = { keyspace: depositKeyspace, requested: "0.001" };
  const deposits = [
    await arrangeDeposit(world, shop, { ...invoice, timeLimit: timeLimitSeconds }),
    await arrangeDeposit(world, shop, { ...invoice, timeLimit: timeLimitSeconds }),
    await arrangeDeposit(world, shop, invoice),
    await arrangeDeposit(world, store, { keyspace: depositKeyspace }),
  ];
  const { world: following } = deployment.worldOf("follower");
  return {
    deployment,
    chain,
    shop,
    deposits,
    weave: (weaver) => {
      for (const { pauseFor } of databases.values()) pauseFor(weaver);
    },
    follower: {
      db: following.database.db,
      clock: hangingClock(clock),
      random: systemRandom,
      logger: silentLogger,
      adapter: chain.adapter,
      sink: createDepositSink(following.context),
      ownTxids: null,
      supplyOf: () => null,
      holder: "follower",
      startHeight: 0,
      settings: defaultFollowerSettings,
      onProgress: () => undefined,
    },
  };
}
