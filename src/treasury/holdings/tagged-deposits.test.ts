/**
 * Deposits that share the hot account: their tags come from the pool like addresses, their payments are found by tag, and the
 * account's money is counted once, however many deposits there are. A simulated chain, a real database and a real journal.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { hold, simulatedCoin, stepUntilIdle } from "../../../test/support/followed-chain.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { createSharedChain, createSimulatedChain } from "../../../test/support/simulated-chain.ts";
import type { BlockSink, WatchedTransfer } from "../../chains/block-sink.ts";
import { defaultFollowerSettings } from "../../chains/follow/follower-session.ts";
import { addToPool } from "../../chains/pools/address-pool.store.ts";
import { deriveBatch } from "../../chains/pools/derive-batch.ts";
import { fillPools } from "../../chains/pools/fill-pools.ts";
import type { Destination } from "../../chains/port.ts";
import { insertPostings } from "../../ledger/ledger.store.ts";
import { systemAccount } from "../../ledger/ledger-account.ts";
import { createFindInternalDestination } from "../../payouts/create/internal-destination.store.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { openIssueJournal } from "../../signer/journal/issue-journal.ts";
import { compareHoldings } from "./compare-holdings.ts";
import { ensureTreasury } from "./ensure-treasury.ts";
import { createTreasurySink } from "./treasury-sink.ts";

const database = useDatabase();
const { db, sql } = database;
const { signal } = new AbortController();
const clock = manualClock();
const node = createSharedChain({ chain: "TAG", currencies: [simulatedCoin], clock });
const { adapter } = node;
const { addressing, keyspace } = adapter;
const { hot } = addressing.treasury;

/** The treasury's sink; what reaches deposits is only collected, and booked where the deposits' own sink would. */
const hits: WatchedTransfer[] = [];
const treasury = createTreasurySink([adapter]);
const sink: BlockSink = {
  appended: async (tx, chain, block, outputs, now, own) => {
    const { arrivals, charges } = own;
    const facts = { payments: outputs, outputs, arrivals, charges, ownSpends: new Map() };
    await treasury.appended(tx, chain, block, facts, now);
    for (const output of outputs) {
      hits.push(output);
      const { asset, key } = output.transfer;
      if (asset.kind !== "currency") continue;
      const posting = {
        ...asset.amount,
        debit: systemAccount("chain", simulatedCoin),
        credit: systemAccount("unresolved", simulatedCoin),
      };
      await insertPostings(tx, [{ accountId: "1", cause: key.txid, postings: [posting] }], now);
    }
  },
  orphaned: (tx, chain, block, now) => treasury.orphaned(tx, chain, block, now),
  pendingSeen: () => Promise.resolve(),
  pendingTransfers: () => Promise.resolve({ transfers: [], isComplete: true }),
  transfersDropped: () => Promise.resolve(),
};

async function follow(): Promise<void> {
  const context = { db, clock, sink, adapter, random: systemRandom, logger: silentLogger };
  const followed = {
    ...context,
    ownTxids: null,
    supplyOf: () => null,
    holder: "first",
    startHeight: 0,
    settings: defaultFollowerSettings,
    onProgress: () => undefined,
  };
  const session = await hold(followed);
  await stepUntilIdle(followed, session);
  await session.end();
}

/** Gives every waiting address to a deposit with the number of its tag. */
const issueAll = (): Promise<unknown> =>
  sql(
    `update address set deposit_id = key_index + 1, account_id = 1, wallet_id = 1, issued_at = derived_at
     where keyspace = $1 and deposit_id is null`,
    [keyspace],
  );

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-shared-"));
  await ensureTreasury({ db, clock }, [adapter]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("deposits of a shared account", () => {
  it("get tags from the pool, each recorded by the signer and used once", async () => {
    const journal = await openIssueJournal(join(folder, "issued"), new Uint8Array(32));
    const signer = {
      highestIssued: (...kind: [string, string]) => Promise.resolve(journal.highest(...kind)),
      recordIssued: journal.record,
      createKeys: () => Promise.reject(new Error("tags need no key")),
    };
    const pools = [{ keyspace, addressType: "", addressing }];
    const context = { db, clock, logger: silentLogger, signer, pools, size: 8 };
    expect(await fillPools(context, signal)).toBe(8);
    await issueAll();
    expect(await fillPools(context, signal)).toBe(8);
    expect(journal.highest(keyspace, "")).toBe(15);
    await journal.close();
    const rows = await sql<{ address: string; tag: string; watch_key: string }>(
      "select address, tag, watch_key from address where keyspace = $1 order by key_index",
      [keyspace],
    );
    expect(rows.map(({ tag }) => addressing.depositIndexOf(tag))).toEqual([...rows.keys()]);
    expect(new Set(rows.map(({ address }) => address))).toEqual(new Set([hot.address]));
    expect(new Set(rows.map(({ watch_key }) => watch_key)).size).toBe(16);
    await issueAll();
  });

  it("own one address per tag, however account and tag are written", async () => {
    const { address, tag } = addressing.depositAt(3, null);
    const spellings = [
      addressing.parse(address, tag),
      addressing.parse(address, `0${tag}`),
      addressing.parse(`${address}?${tag}`, null),
      addressing.parse(`${address}?00${tag}`, tag),
    ];
    const pool = { keyspace, addressType: "" };
    for (const spelled of spellings) {
      if (spelled === null) throw new Error("an address that is not read");
      const watchKey = addressing.watchKey(spelled);
      const again = { ...spelled, index: 4_000, watchKey, spellings: null };
      await expect(addToPool(db, pool, [again], clock.now())).rejects.toThrow("duplicate key");
    }
    expect(addressing.parse(`${address}?${tag}`, "7")).toBeNull();
  });

  it("are found by their tags; the account's money is held once and matches the books", async () => {
    const deposits = 20_001;
    const more = await deriveBatch(addressing, "", { first: 16, count: deposits - 16 }, clock);
    await addToPool(db, { keyspace, addressType: "" }, more, clock.now());
    await issueAll();
    const paid = [0, 1, 15, 16, 9_999, deposits - 1];
    for (const index of paid) node.pay(addressing.depositAt(index, null), BigInt(index) + 1n);
    node.mine(1);
    await follow();
    const found = hits.map(({ depositId, keyIndex }) => [depositId, keyIndex]);
    expect(found).toEqual(paid.map((index) => [String(index + 1), index]));
    expect(await sql("select from holding")).toEqual([]);

    const requests: string[] = [];
    const reader: typeof adapter.reader = {
      ...adapter.reader,
      balancesAt: (addresses, ...rest) => {
        requests.push(...addresses);
        return adapter.reader.balancesAt(addresses, ...rest);
      },
    };
    const context = { db, clock, logger: silentLogger, chain: { ...adapter, reader } };
    const total = paid.reduce((sum, index) => sum + BigInt(index) + 1n, 0n);
    expect(
      await compareHoldings({ ...context, sampleMax: 1_000 }, simulatedCoin, signal),
    ).toMatchObject({ ledgerUnits: total, chainUnits: total, exceedsFlight: false });
    expect(requests).toEqual([hot.address]);

    // Money that the books lack is still seen.
    node.pay(addressing.ownFunds, 5n);
    node.pay(addressing.depositAt(2, null), 1n);
    node.mine(1);
    await follow();
    const compared = await compareHoldings({ ...context, sampleMax: 0 }, simulatedCoin, signal);
    expect(compared).toMatchObject({ ledgerUnits: total + 6n, chainUnits: total + 6n });
  });

  it("are not paid by a payout to the account without a tag of theirs: that would credit no one", async () => {
    const [account] = await sql<{ id: string }>(
      `insert into account (name, webhook_secret_sealed, created_at) values ('Test', '\\x00', '2026-01-01Z') returning id`,
    );
    const find = createFindInternalDestination(db, () => addressing);
    const ask = async (destination: Destination) => {
      const watchKey = addressing.watchKey(destination);
      const payee = { kind: "address", ...destination, keyspace, watchKey } as const;
      const found = await find({ accountId: account?.id ?? "", chain: adapter.chain, payee });
      return found.internal;
    };
    expect(await ask(hot)).toEqual({ kind: "reserved" });
    expect(await ask({ ...hot, tag: "5" })).toEqual({ kind: "reserved" });
    const stranger = createSimulatedChain({ chain: "TAG", currencies: [], clock });
    const theirs = stranger.adapter.addressing.depositAt(7, null);
    expect(await ask({ ...theirs, tag: "5" })).toBeNull();
  });
});
