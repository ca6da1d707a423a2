import type { BlockSink, OwnArrival } from "../../src/chains/block-sink.ts";
import type { ChainAdapter } from "../../src/chains/chain-adapter.ts";
import type { DerivedAddressing } from "../../src/chains/port.ts";
import { createReceiptSink } from "../../src/deposits/unattributed/receipt-sink.ts";
import { distributeBlock } from "../../src/main/build/distribute-block.ts";
import type { Executor } from "../../src/platform/db/database.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { type CurrencyId, money } from "../../src/platform/kernel/money.ts";
import { createTreasurySink } from "../../src/treasury/holdings/treasury-sink.ts";
import { createSpend } from "../../src/treasury/spends/create-spend.ts";
import type { SpendKind } from "../../src/treasury/spends/spend.ts";
import { createSpendSink } from "../../src/treasury/spends/spend-sink.ts";
import { createTreasuryListener } from "../../src/treasury/sweeping/treasury-listener.ts";
import type { TestDatabase } from "./database.ts";
import { btc, type DepositWorld, depositWorld, eth } from "./deposit-world.ts";
import { createSimulatedChain, type SimulatedChain } from "./simulated-chain.ts";

/*
 * The deployment's own money, for tests: deposits, spends and treasury receive blocks through the worker's sink. Spends are
 * opened as the service does; SQL marks them signed and broadcast.
 */

export type TreasuryWorld = DepositWorld & {
  readonly sink: BlockSink;
  readonly bitcoin: ChainAdapter<DerivedAddressing>;
  readonly ethereum: ChainAdapter<DerivedAddressing>;
  /** A broadcast transaction of ours; resolves with its spend's id. */
  readonly spend: (own: {
    readonly chain: string;
    readonly kind: SpendKind;
    readonly txid: string;
    readonly claims: readonly string[];
    readonly feeUnits?: bigint;
    /** To the cold address. */
    readonly leftUnits?: bigint;
  }) => Promise<string>;
  /** Our transactions that a block may contain. */
  readonly ownTxids: (db: Executor, chain: string) => Promise<readonly string[]>;
  /** Bitcoin's node. */
  readonly node: SimulatedChain;
  /** Debits minus credits of `chain/C`. */
  readonly booked: (currency: CurrencyId) => Promise<bigint>;
};

export function treasuryWorld(database: TestDatabase): TreasuryWorld {
  const world = depositWorld(database);
  const { clock, sink: deposits } = world;
  const node = createSimulatedChain({ chain: "BTC", keyspace: "BTC", currencies: [btc], clock });
  const bitcoin = node.adapter;
  const { adapter: ethereum } = createSimulatedChain({
    chain: "ETH",
    keyspace: "evm",
    currencies: [eth],
    funding: "account",
    clock,
  });
  const chains = [bitcoin, ethereum];
  const spends = createSpendSink(createTreasuryListener((chain) => chain === bitcoin.chain));
  return {
    ...world,
    bitcoin,
    ethereum,
    node,
    ownTxids: spends.readMinable,
    sink: distributeBlock({
      treasury: createTreasurySink(chains),
      receipts: createReceiptSink(world.context, chains),
      deposits,
      spends,
      // No payouts here: their own tests count confirmations.
      confirmPayouts: () => Promise.resolve(),
    }),
    spend: async ({ chain, kind, txid, claims, feeUnits = 0n, leftUnits = 0n }) => {
      const opened = await database.db.transaction((tx) =>
        createSpend(
          tx,
          {
            chain,
            kind,
            sender: null,
            purpose: {},
            request: null,
            leaves: leftUnits === 0n ? null : money(leftUnits, chain === "BTC" ? btc : eth),
            feeCurrency: chain === "BTC" ? btc : eth,
            confirmations: 2,
            draft: { body: {}, claims, feeUnits, validity: null },
          },
          clock.now(),
        ),
      );
      if (opened.kind !== "created") throw new Error(`claimed: ${opened.claims.join()}`);
      await database.sql(
        "update spend_attempt set state = 'broadcast', txid = $2, raw = '\\x00' where spend_id = $1",
        [opened.spend.id, txid],
      );
      return opened.spend.id;
    },
    booked: async (currency) => {
      const [row] = await database.sql<{ units: bigint }>(
        `select coalesce(sum(case when debit = $1 then units else -units end), 0) as units
         from posting where $1 in (debit, credit)`,
        [`chain/${currency}`],
      );
      return present(row, "a sum").units;
    },
  };
}

/** Money that arrived at an address of our own. */
export function arrival(
  { addressing }: ChainAdapter<DerivedAddressing>,
  input: {
    readonly purpose: OwnArrival["purpose"];
    readonly txid: string;
    readonly index?: number;
    readonly units: bigint;
    readonly currency: CurrencyId;
    readonly keyIndex?: number;
  },
): OwnArrival {
  const { purpose, txid, index = 0, units, currency, keyIndex = 0 } = input;
  const { changeAt, treasury } = addressing;
  const destination =
    purpose === "change"
      ? present(changeAt, "a chain of coins")(keyIndex)
      : present(treasury, "an account chain")[purpose];
  return {
    transfer: {
      key: { txid, index },
      to: addressing.watchKey(destination),
      asset: { kind: "currency", amount: money(units, currency) },
      spendableFromHeight: null,
    },
    purpose,
    addressType: "",
    keyIndex,
  };
}
