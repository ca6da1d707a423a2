import { describe, expect, test } from "vitest";
import { useDatabase } from "../../test/support/database.ts";
import { followedChain, simulatedCoin } from "../../test/support/followed-chain.ts";
import type { CurrencyId } from "../kernel/money.ts";
import { formatTimestamp } from "../kernel/timestamp.ts";
import { insertPostings } from "../ledger/ledger.store.ts";
import { systemAccount } from "../ledger/ledger-account.ts";
import { type ReconciledChain, reconcile } from "../ledger/reconcile.ts";
import type { BlockSink } from "./block-sink.ts";
import { readCursor } from "./follower.store.ts";
import { readHoldings } from "./read-holdings.ts";

/* The ledger's `chain/C` against a simulated chain's balances, at the block that the follower stands at. */

const database = useDatabase();
const { db } = database;
const signal = new AbortController().signal;

/** Books what arrives, or (to make a difference) only part of it. A currency for each test: postings are never removed. */
function setUp(currency: string, booked: (units: bigint) => bigint = (units) => units) {
  const coin = currency as CurrencyId;
  const followed = followedChain(database);
  const sink: BlockSink = {
    appended: async (tx, _chain, _block, hits, now) => {
      for (const { transfer } of hits) {
        if (transfer.asset.kind !== "currency") continue;
        const posting = {
          debit: systemAccount("chain", coin),
          credit: systemAccount("unresolved", coin),
          currency: coin,
          units: booked(transfer.asset.amount.units),
        };
        await insertPostings(tx, [{ accountId: "1", cause: "test", postings: [posting] }], now);
      }
    },
    orphaned: () => Promise.resolve(),
    pendingSeen: () => Promise.resolve(),
    outstanding: () => Promise.resolve([]),
    fatesLearned: () => Promise.resolve(),
  };
  const context = { ...followed.context, sink };
  const { adapter } = context;
  const chain: ReconciledChain = {
    chain: adapter.chain,
    bookedUpTo: async () => {
      const cursor = await readCursor(db, adapter.chain);
      return cursor === null || cursor.hash === null
        ? null
        : { height: cursor.height, hash: cursor.hash };
    },
    holdings: (_currency, at, aborted) =>
      readHoldings({ db, adapter }, simulatedCoin, at.hash, aborted),
  };
  return {
    ...followed,
    catchUp: () => followed.catchUp(context),
    chain,
    reconcile: (checked = chain) => reconcile(context, checked, coin, signal),
  };
}

describe("reconciliation", () => {
  test("agrees while the ledger holds what the addresses hold", async () => {
    const { node, issue, catchUp, reconcile: check } = setUp("9101");
    const [first, second] = [await issue(1), await issue(2)];
    expect(await check()).toBeNull();
    node.pay(first, 2n ** 70n);
    node.pay(second, 5n);
    node.pay(node.adapter.addressing.depositAt(3, null), 7n);
    node.mine(2);
    node.pay(first, 1n);
    await catchUp();
    expect(await check()).toMatchObject({
      height: 2,
      ledgerUnits: 2n ** 70n + 5n,
      chainUnits: 2n ** 70n + 5n,
      differsSince: null,
    });
  });

  test("shows a difference since it was first seen, until it is gone", async () => {
    let short = 1n;
    const {
      node,
      clock,
      issue,
      catchUp,
      reconcile: check,
    } = setUp("9102", (units) => units - short);
    const address = await issue(1);
    node.pay(address, 10n);
    node.mine(1);
    await catchUp();
    const since = clock.now();
    expect(await check()).toMatchObject({ ledgerUnits: 9n, chainUnits: 10n, differsSince: since });
    clock.advance(600);
    expect((await check())?.differsSince).toBe(since);
    const [row] = await database.sql<{ differs_since: number; checked_at: number }>(
      "select differs_since, checked_at from reconciliation where currency = '9102'",
    );
    expect(row).toEqual({ differs_since: since, checked_at: clock.now() });
    short = -1n;
    node.pay(address, 10n);
    node.mine(1);
    await catchUp();
    expect(await check()).toMatchObject({ ledgerUnits: 20n, chainUnits: 20n, differsSince: null });
  });

  test("says nothing when the node is ahead of the books or moves while it is asked", async () => {
    const { node, issue, catchUp, reconcile: check, chain } = setUp("9103");
    const address = await issue(1);
    node.pay(address, 10n);
    node.mine(1);
    await catchUp();
    node.pay(address, 10n);
    node.mine(1);
    expect(await check()).toBeNull();
    await catchUp();
    node.faults.beforeAnswer = (question) => {
      if (question === "balanceOf") node.mine(1);
    };
    expect(await check()).toBeNull();
    node.faults.beforeAnswer = null;
    await catchUp();
    const moving: ReconciledChain = {
      ...chain,
      holdings: async (currency, at, aborted) => {
        const units = await chain.holdings(currency, at, aborted);
        node.mine(1);
        await catchUp();
        return units;
      },
    };
    expect(await check(moving)).toBeNull();
    expect(await database.sql("select chain from reconciliation where currency = '9103'")).toEqual(
      [],
    );
    expect(await check()).toMatchObject({ chainUnits: 20n, differsSince: null });
  });
});

test("holdings are summed over all pages of addresses", async () => {
  const { node, issue, catchUp, chain } = setUp("9104");
  const address = await issue(1);
  await database.sql(
    `insert into address (keyspace, watch_key, address, address_type, key_index, derived_at, account_id, wallet_id,
       deposit_id, issued_at)
     select $1, 'filler-' || n, 'filler-' || n, '', n + 10, $2, 1, 1, n, $2 from generate_series(1, 20001) n`,
    [node.adapter.keyspace, formatTimestamp(0 as never)],
  );
  node.pay(address, 10n);
  node.mine(1);
  await catchUp();
  const asked = node.asked.get("balanceOf") ?? 0;
  expect(await chain.holdings(simulatedCoin, node.tip(), signal)).toBe(10n);
  expect((node.asked.get("balanceOf") ?? 0) - asked).toBe(3);
});
