import { defaultFollowerSettings } from "../../src/chains/follow/follower-session.ts";
import { addToPool } from "../../src/chains/pools/address-pool.store.ts";
import { deriveBatch } from "../../src/chains/pools/derive-batch.ts";
import type { Destination, SharedAddressing } from "../../src/chains/port.ts";
import type { Keyspace } from "../../src/currencies/keyspace.ts";
import type { Deposit } from "../../src/deposits/deposit.ts";
import { decideReported } from "../../src/deposits/payments/decide-reported.ts";
import { createReceiptSink } from "../../src/deposits/unattributed/receipt-sink.ts";
import { distributeBlock } from "../../src/main/build/distribute-block.ts";
import { confirmPayouts } from "../../src/payouts/change-payouts.ts";
import { createPayoutListener } from "../../src/payouts/send/spend-listener.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { compareHoldings } from "../../src/treasury/holdings/compare-holdings.ts";
import { ensureTreasury } from "../../src/treasury/holdings/ensure-treasury.ts";
import { createTreasurySink } from "../../src/treasury/holdings/treasury-sink.ts";
import { combineListeners } from "../../src/treasury/spends/spend-listener.ts";
import { createSpendSink } from "../../src/treasury/spends/spend-sink.ts";
import { createTreasuryListener } from "../../src/treasury/sweeping/treasury-listener.ts";
import { arrangeDeposit, type DepositWorld, type Wallet, xrp } from "./deposit-world.ts";
import { hold, stepUntilIdle } from "./followed-chain.ts";
import { manualClock } from "./manual-clock.ts";
import { createSharedChain, createSimulatedChain, type SimulatedChain } from "./simulated-chain.ts";

/*
 * A chain whose deposits share the hot account: no chain of this release is like that, so it is SIMULATED, under the name, the
 * currency and the tags of XRP. The follower, the sinks, the treasury and the database are real. Two confirmations are final.
 */

const keyspace: Keyspace = { name: "XRP", chain: "XRP", addressTypes: [], defaultAddressType: "" };

/** How many tags the pool has. */
const pooled = 200;

export type TaggedAccount = {
  readonly node: SimulatedChain<SharedAddressing>;
  readonly addressing: SharedAddressing;
  /** The shared account without a tag. */
  readonly account: Destination;
  /** Watches the account and fills the pool of tags; call it once, before everything else. */
  readonly open: () => Promise<void>;
  readonly deposit: (wallet: Wallet, options?: DepositOptions) => Promise<Deposit>;
  /** Where a deposit's payer should have paid. */
  readonly destinationOf: (deposit: Deposit) => Destination;
  /** Pays from `payer` under any tag, in the next block. */
  readonly pay: (tag: string | null, units: bigint, from?: readonly string[]) => string;
  /** Mines blocks and follows the chain to its tip. */
  readonly mine: (blocks?: number) => Promise<void>;
  /** Follows the chain to its tip. */
  readonly follow: () => Promise<void>;
  /** Chain minus ledger; 0 where they agree. */
  readonly difference: () => Promise<bigint>;
};

type DepositOptions = NonNullable<Parameters<typeof arrangeDeposit>[2]>;

/** An account outside the deployment. */
export const payer = createSimulatedChain({
  chain: "XRP",
  currencies: [],
  clock: manualClock(),
}).adapter.addressing.depositAt(7, null).address;

export function taggedAccount(world: DepositWorld): TaggedAccount {
  const { clock, context, database } = world;
  const { db } = context;
  const node = createSharedChain({ chain: "XRP", keyspace: "XRP", currencies: [xrp], clock });
  const { adapter } = node;
  const { addressing } = adapter;
  const account = addressing.treasury.hot;
  const listener = combineListeners([
    createTreasuryListener(() => false),
    createPayoutListener(context),
  ]);
  const spends = createSpendSink(listener);
  const sink = distributeBlock({
    spends,
    treasury: createTreasurySink([adapter]),
    confirmPayouts: (tx, chain, height, now) => confirmPayouts(tx, context, chain, height, now),
    receipts: createReceiptSink(context, [adapter]),
    deposits: world.sink,
  });
  const { signal } = new AbortController();
  const follow = async (): Promise<void> => {
    const followed = {
      db,
      clock,
      sink,
      adapter,
      random: systemRandom,
      logger: silentLogger,
      ownTxids: spends.readMinable,
      supplyOf: () => null,
      holder: "first",
      startHeight: 0,
      settings: defaultFollowerSettings,
      onProgress: () => undefined,
    };
    const session = await hold(followed);
    try {
      await stepUntilIdle(followed, session);
    } finally {
      await session.end();
    }
    await decideReported(context, signal);
  };
  return {
    node,
    addressing,
    account,
    follow,
    open: async () => {
      await ensureTreasury({ db: database.db, clock }, [adapter]);
      const tags = await deriveBatch(addressing, "", { first: 0, count: pooled }, clock);
      await addToPool(database.db, { keyspace: "XRP", addressType: "" }, tags, clock.now());
    },
    deposit: (wallet, options = {}) =>
      arrangeDeposit(world, wallet, { currency: xrp, keyspace, ...options }),
    destinationOf: (deposit) =>
      present(
        addressing.parse(present(deposit.address, "an address"), deposit.tag),
        "where to pay",
      ),
    pay: (tag, units, from = [payer]) =>
      node.submit([{ to: { ...account, tag }, units }], { from }),
    mine: async (blocks = 1) => {
      node.mine(blocks);
      await follow();
    },
    difference: async () => {
      const compared = await compareHoldings(
        { db: database.db, clock, logger: silentLogger, chain: adapter, sampleMax: 0 },
        xrp,
        signal,
      );
      const { chainUnits, ledgerUnits } = present(compared, "a comparison");
      return chainUnits - ledgerUnits;
    },
  };
}
