import { beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { emptyDatabase } from "../../../test/support/database-backup.ts";
import { coinId, createPayoutSite, simulatedChainName } from "../../../test/support/payout-site.ts";
import { newSpend } from "../../../test/support/spend-records.ts";
import { type BlockSink, noOwnActivity } from "../../chains/block-sink.ts";
import type { Draft } from "../../chains/paying-port.ts";
import type { BlockRef, OutgoingTransaction } from "../../chains/port.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
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
  const { addressing, clock, listener } = await createPayoutSite(database, {
    funding,
    confirmations: 2,
  });
  const writer = { isEquivalent };
  const chain = { chain: simulatedChainName, keyspace: "sim", addressing, writer };
  const paused: string[] = [];
  const pauseChain = (_tx: unknown, name: string) => {
    paused.push(name);
    return Promise.resolve();
  };
  const context = { db, clock, logger: silentLogger, chains: [chain], listener, pauseChain };
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

/** Whom the transaction of a draft pays is the draft's body here. */
const isEquivalent = (draft: Draft, { claims, payments }: OutgoingTransaction): boolean => {
  const { pays } = draft.body;
  if (pays === undefined) throw new Error("the body of a draft is incomplete");
  return (
    draft.claims.join() === claims.join() && payments.map(({ address }) => address).join() === pays
  );
};

/** A spend whose transaction `signed` takes our coin and pays `someone`; it was broadcast. */
async function arrangeBroadcast(
  claim: string,
  now: Instant,
  body: JsonObject = { pays: "someone" },
): Promise<void> {
  await sql(
    `insert into coin (chain, outpoint, units, watch_key, address_type, branch, key_index, block_height)
     values ($1, $2, 100, 'key', '', 1, 0, 1)`,
    [simulatedChainName, claim],
  );
  const draft = { body, claims: [claim], feeUnits: 70n, validity: null };
  const spend = newSpend({ chain: simulatedChainName, draft, feeCurrency: coinId });
  await db.transaction((tx) => createSpend(tx, spend, now));
  await sql("update spend_attempt set state = 'broadcast', txid = 'signed', raw = '\\x00'");
}

const spends = async () =>
  await sql(
    `select s.state, a.txid, s.burnt_units from spend s join spend_attempt a on a.spend_id = s.id order by a.number`,
  );

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
  const block = { height: 5, hash: "h5", parentHash: "h4", time: 0 as BlockRef["time"] };

  it("records a transaction of ours whose signature was altered, and pauses nothing", async () => {
    const { append, clock, paused, search } = await arrange("coins");
    await arrangeBroadcast("a:0", clock.now());
    const altered = transaction("altered", "a:0");
    await search([altered]);
    expect(await spends()).toMatchObject([{ state: "open", txid: "signed" }]);
    await append([altered], block);
    expect(await spends()).toMatchObject([
      { state: "included", txid: "signed" },
      { state: "included", txid: "altered" },
    ]);
    // Once it is on record, it is one like any other.
    await append([altered], block);
    expect(await spends()).toHaveLength(2);
    expect(await seen()).toEqual([]);
    expect(paused).toEqual([]);
  });

  it("pauses at a transaction that takes the coins of one of ours and pays another", async () => {
    const { append, clock, paused } = await arrange("coins");
    await arrangeBroadcast("a:0", clock.now());
    const [payment] = transaction("other", "a:0").payments;
    const payments = [{ ...payment!, address: "another" }];
    await append([{ ...transaction("other", "a:0"), payments }], block);
    expect(await spends()).toMatchObject([{ state: "open", txid: "signed" }]);
    expect(await seen()).toMatchObject([{ txid: "other", height: 5 }]);
    expect(paused).toEqual([simulatedChainName]);
  });

  it("pauses at a transaction that takes the coins of one that a person settled, of which only the id is known", async () => {
    const { append, clock, paused } = await arrange("coins");
    await arrangeBroadcast("a:0", clock.now(), {});
    await append([transaction("other", "a:0")], block);
    expect(await seen()).toMatchObject([{ txid: "other", height: 5 }]);
    expect(paused).toEqual([simulatedChainName]);
  });

  it("records the block of a transaction that the mempool showed before", async () => {
    const { nonce, search, append } = await arrange();
    await search([transaction("ours", nonce(3))]);
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
    await append([claimless("ours", hot), claimless("foreign", "0xother")], block);
    expect(await seen()).toEqual([{ txid: "ours", claims: [], feeUnits: 3n, height: 5 }]);
    expect((await listUnexplained(db)).map(({ sender }) => sender)).toEqual([hot]);
    expect(paused).toEqual([simulatedChainName]);
  });
});
