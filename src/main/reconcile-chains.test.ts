import { beforeAll, expect, test } from "vitest";
import { useDatabase } from "../../test/support/database.ts";
import { followedChain } from "../../test/support/followed-chain.ts";
import { createRecordingTables } from "../../test/support/recording-sink.ts";
import { silentLogger } from "../kernel/logger.ts";
import { adjustBooks } from "../ledger/adjust-books.ts";
import { createReconciliation } from "./reconcile-chains.ts";

const database = useDatabase();
beforeAll(() => createRecordingTables(database));

test("a difference seen at two blocks stops the chain's payouts, and they go on when it is gone", async () => {
  const { node, clock, issue, catchUp } = followedChain(database);
  await issue(1);
  let held = 0n;
  const reader = { ...node.adapter.reader, balanceOf: () => Promise.resolve(held) };
  const chain = {
    adapter: { ...node.adapter, reader },
    rpc: undefined as never,
    startHeight: null,
    isIdle: false,
    isScanned: false,
  };
  const reconcileDue = createReconciliation({
    db: database.db,
    clock,
    logger: silentLogger,
    chains: [chain],
  });
  const compareAtNextBlock = async (): Promise<number> => {
    node.mine(1);
    await catchUp();
    clock.advance(61);
    await reconcileDue(new AbortController().signal);
    const stops = await database.sql(
      "select from payout_stop where scope = 'chain/' || $1 and by_reconciliation",
      [chain.adapter.chain],
    );
    return stops.length;
  };
  expect(await compareAtNextBlock()).toBe(0);
  held = 5n;
  expect(await compareAtNextBlock()).toBe(0);
  expect(await compareAtNextBlock()).toBe(1);
  expect(await compareAtNextBlock()).toBe(1);
  const [currency] = chain.adapter.currencies;
  expect(await adjustBooks({ db: database.db, clock }, chain.adapter.chain, currency!)).toBe(5n);
  expect(await adjustBooks({ db: database.db, clock }, chain.adapter.chain, currency!)).toBe(0n);
  expect(await compareAtNextBlock()).toBe(0);
  held = 4n;
  expect(await compareAtNextBlock()).toBe(0);
  expect(await compareAtNextBlock()).toBe(1);
  held = 5n;
  expect(await compareAtNextBlock()).toBe(0);
  held = 0n;
  await compareAtNextBlock();
  expect(await adjustBooks({ db: database.db, clock }, chain.adapter.chain, currency!)).toBe(-5n);
});

test("a node that takes long to count is left alone for fifty times as long, a quick one for a minute", async () => {
  const { node, clock, issue, catchUp } = followedChain(database);
  await issue(1);
  node.mine(1);
  await catchUp();
  let tookSeconds = 0;
  let counted = 0;
  const reader = {
    ...node.adapter.reader,
    balanceOf: () => {
      counted += 1;
      clock.advance(tookSeconds);
      return Promise.resolve(0n);
    },
  };
  const chain = {
    adapter: { ...node.adapter, reader },
    rpc: undefined as never,
    startHeight: null,
    isIdle: false,
    isScanned: false,
  };
  const context = { db: database.db, clock, logger: silentLogger, chains: [chain] };
  const reconcileDue = createReconciliation(context);
  const runAfter = async (seconds: number): Promise<number> => {
    clock.advance(seconds);
    await reconcileDue(new AbortController().signal);
    return counted;
  };
  expect(await runAfter(0)).toBe(1);
  expect(await runAfter(59)).toBe(1);
  tookSeconds = 30;
  expect(await runAfter(2)).toBe(2);
  expect(await runAfter(1_490)).toBe(2);
  expect(await runAfter(11)).toBe(3);
});
