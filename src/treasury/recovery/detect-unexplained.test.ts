import { beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { emptyDatabase } from "../../../test/support/database-backup.ts";
import { coinId, createPayoutSite, simulatedChainName } from "../../../test/support/payout-site.ts";
import { newSpend } from "../../../test/support/spend-records.ts";
import { type BlockSink, noOwnActivity } from "../../chains/block-sink.ts";
import type { BlockRef, OutgoingTransaction } from "../../chains/port.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { createSpend } from "../spends/create-spend.ts";
import { parseSequenceClaim } from "../spends/sequence-allocator.ts";
import { detectUnexplained, findUnexplainedInMempool } from "./detect-unexplained.ts";
import { listUnexplained } from "./unexplained.store.ts";

const database = useDatabase();
const { db, sql } = database;
const { signal } = new AbortController();

beforeEach(async () => {
  await emptyDatabase(database);
  await sql("delete from unexplained_spend");
});

async function arrange(funding: "account" | "coins" = "account") {
  const { addressing, clock } = await createPayoutSite(database, { funding, confirmations: 2 });
  const chain = { chain: simulatedChainName, keyspace: "sim", addressing };
  const paused: string[] = [];
  const pauseChain = (_tx: unknown, name: string) => {
    paused.push(name);
    return Promise.resolve();
  };
  const context = { db, clock, logger: silentLogger, chains: [chain], pauseChain };
  const { treasury } = addressing;
  const hot = treasury === null ? "" : addressing.watchKey(treasury.hot);
  const nonce = (number: number): string => `${hot}#${number}`;
  return {
    paused,
    clock,
    hot,
    nonce,
    /** The node's mempool is searched as an adapter does. */
    search: (mempool: readonly OutgoingTransaction[]) => {
      const pendingSpends = (isOurs: (source: string) => boolean) =>
        Promise.resolve(mempool.filter((one) => sourcesOf(one).some(isOurs)));
      return findUnexplainedInMempool(context, { ...chain, reader: { pendingSpends } }, signal);
    },
    searchNothing: () =>
      findUnexplainedInMempool(context, { ...chain, reader: { pendingSpends: null } }, signal),
    append: (transactions: readonly OutgoingTransaction[], block: BlockRef) => {
      const spends = {
        sources: () => transactions.flatMap(sourcesOf),
        transactionsFrom: (sources: ReadonlySet<string>) =>
          transactions.filter((one) => sourcesOf(one).some((source) => sources.has(source))),
      };
      const own = { ...noOwnActivity, spends };
      const sink = detectUnexplained(context, silentSink);
      return db.transaction((tx) =>
        sink.appended(tx, simulatedChainName, block, [], clock.now(), own),
      );
    },
  };
}

const done = (): Promise<void> => Promise.resolve();
const silentSink: BlockSink = {
  appended: done,
  orphaned: done,
  pendingSeen: done,
  transfersDropped: done,
  pendingTransfers: () => Promise.resolve({ transfers: [], isComplete: true }),
};

const sourcesOf = ({ sender, claims }: OutgoingTransaction): readonly string[] =>
  sender === null ? claims : [sender];

const transaction = (txid: string, ...claims: readonly string[]): OutgoingTransaction => ({
  txid,
  sender: parseSequenceClaim(claims[0] ?? "")?.sender ?? null,
  claims,
  payments: [{ to: "key", address: "someone", currency: coinId, units: 30n }],
  feeUnits: null,
});

const seen = async () =>
  (await listUnexplained(db)).map(({ txid, claims, feeUnits, block }) => ({
    txid,
    claims,
    feeUnits,
    height: block?.height ?? null,
  }));

describe("findUnexplainedInMempool", () => {
  it("pauses a chain whose mempool has an unknown transaction of our accounts", async () => {
    const { nonce, search, paused } = await arrange();
    await search([transaction("ours", nonce(3)), transaction("foreign", "0xother#3")]);
    const found = { txid: "ours", claims: [nonce(3)], feeUnits: null, height: null };
    expect(await seen()).toEqual([found]);
    expect(paused).toEqual([simulatedChainName]);
  });

  it("ignores transactions of recorded spends and of others", async () => {
    const { clock, nonce, search, paused } = await arrange();
    const draft = { body: {}, claims: [nonce(0)], feeUnits: 1n, validity: null };
    const spend = newSpend({ chain: simulatedChainName, draft });
    await db.transaction((tx) => createSpend(tx, spend, clock.now()));
    await sql("update spend_attempt set state = 'broadcast', txid = 'known', raw = '\\x00'");
    await search([transaction("known", nonce(0)), transaction("foreign", "0xother#3")]);
    expect(await seen()).toEqual([]);
    expect(paused).toEqual([]);
  });

  it("finds transactions that spend our coins, and their fee if all inputs are ours", async () => {
    const { search, paused } = await arrange("coins");
    await sql(
      `insert into coin (chain, outpoint, units, watch_key, address_type, branch, key_index, block_height)
       values ($1, 'a:0', 100, 'key', '', 1, 0, 1), ($1, 'b:0', 100, 'key', '', 1, 0, 1)`,
      [simulatedChainName],
    );
    await search([
      transaction("all", "a:0"),
      transaction("some", "b:0", "foreign:0"),
      transaction("none", "foreign:1"),
    ]);
    const found = await seen();
    expect(found.toSorted((a, b) => (a.txid < b.txid ? -1 : 1))).toEqual([
      { txid: "all", claims: ["a:0"], feeUnits: 70n, height: null },
      { txid: "some", claims: ["b:0"], feeUnits: null, height: null },
    ]);
    expect(paused).toEqual([simulatedChainName, simulatedChainName]);
  });

  it("computes what a transaction paid to hidden receivers, once all of its coins are known to be ours", async () => {
    const { search } = await arrange("coins");
    await sql(
      `insert into coin (chain, outpoint, units, watch_key, address_type, branch, key_index, block_height, key_image)
       values ($1, 'a:0', 100, 'key', '', 1, 0, 1, 'ia'), ($1, 'b:0', 100, 'key', '', 1, 0, 1, null)`,
      [simulatedChainName],
    );
    const change = { to: "change", address: "", currency: coinId, units: 50n };
    const spent: OutgoingTransaction = {
      ...transaction("spent", "ia", "ib"),
      payments: [change],
      feeUnits: 3n,
      hides: coinId,
    };
    const back = { ...transaction("back", "ia"), payments: [{ ...change, units: 97n }] };
    const hiddenUnits = async () =>
      (await listUnexplained(db)).map(({ claims, payments, txid }) => [
        txid,
        claims,
        ...payments.filter(({ to }) => to === "").map(({ units }) => units),
      ]);
    await search([spent]);
    expect(await hiddenUnits()).toEqual([["spent", ["ia"], 0n]]);
    await sql("update coin set key_image = 'ib' where outpoint = 'b:0'");
    await search([spent, { ...back, feeUnits: 3n, hides: coinId }]);
    expect((await hiddenUnits()).toSorted()).toEqual([
      ["back", ["ia"]],
      ["spent", ["ia", "ib"], 147n],
    ]);
  });

  it("finds nothing on a chain whose nodes show no pending transactions", async () => {
    const { searchNothing, paused } = await arrange();
    await searchNothing();
    expect(await seen()).toEqual([]);
    expect(paused).toEqual([]);
  });
});

describe("detectUnexplained", () => {
  it("records the block of a transaction that the mempool showed before", async () => {
    const { nonce, search, append } = await arrange();
    await search([transaction("ours", nonce(3))]);
    const block = { height: 5, hash: "h5", parentHash: "h4", time: 0 as BlockRef["time"] };
    await append([transaction("ours", nonce(3)), transaction("foreign", "0xother#3")], block);
    expect(await seen()).toMatchObject([{ txid: "ours", height: 5 }]);
  });

  it("finds transactions of our accounts that claim nothing, by their sender", async () => {
    const { hot, append, paused } = await arrange("account");
    const claimless = (txid: string, sender: string): OutgoingTransaction => ({
      ...transaction(txid),
      sender,
      feeUnits: 3n,
    });
    const block = { height: 5, hash: "h5", parentHash: "h4", time: 0 as BlockRef["time"] };
    await append([claimless("ours", hot), claimless("foreign", "0xother")], block);
    expect(await seen()).toEqual([{ txid: "ours", claims: [], feeUnits: 3n, height: 5 }]);
    expect((await listUnexplained(db)).map(({ sender }) => sender)).toEqual([hot]);
    expect(paused).toEqual([simulatedChainName]);
  });
});
