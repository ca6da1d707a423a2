/**
 * Coins of chains whose blocks name key images: they are spent under the key image, once the signer has computed it and the chain says that
 * they are still there.
 */
import { describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import {
  announceChain,
  arrangeDeposit,
  arrangeWallet,
  btc,
  payment,
} from "../../../test/support/deposit-world.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { treasuryWorld } from "../../../test/support/treasury-world.ts";
import type { ChainWriter } from "../../chains/paying-port.ts";
import type { OutgoingTransaction } from "../../chains/port.ts";
import { present } from "../../platform/kernel/assert.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { takeClaims } from "../spends/claim.store.ts";
import {
  listSpendableCoins,
  listUnspentOutpoints,
  readCoinValues,
  spendCoins,
  waitsForKeyImages,
} from "./coin.store.ts";
import { createKeyImageLearner } from "./learn-key-images.ts";

const database = useDatabase();
const { db, sql } = database;
type KeyImagesOf = NonNullable<ChainWriter["keyImagesOf"]>;
const never = new AbortController().signal;

/** Three coins on a chain whose signer knows the key images `known`, and whose node knows those that are unspent. */
async function setUp(
  known: Readonly<Record<string, string>>,
  unspent: readonly string[],
  spenders: readonly OutgoingTransaction[] = [],
) {
  for (const table of ["coin", "spend_claim", "spend_attempt", "spend", "transfer"])
    await sql(`delete from ${table}`);
  const world = treasuryWorld(database);
  const chain = await announceChain(world, "BTC");
  const deposit = await arrangeDeposit(world, await arrangeWallet(world, { currency: btc }));
  await chain.append(
    ["a", "b", "c"].map((txid, place) => payment({ deposit, txid, amount: String(3 - place) })),
  );
  await chain.grow(2);
  const clock = manualClock();
  const asked: string[][] = [];
  const signing = { isWaiting: false };
  const [entered, searches]: [string[], number[]] = [[], []];
  /** Of the node. */
  const tip = { hash: chain.tip().hash };
  const answer: KeyImagesOf = (coins) => {
    asked.push(coins.map(({ outpoint }) => outpoint));
    return Promise.resolve(
      new Map(
        coins.flatMap(({ outpoint }) =>
          known[outpoint] === undefined ? [] : [[outpoint, known[outpoint]]],
        ),
      ),
    );
  };
  const writer = { answer, keyImagesOf: answer };
  const learner = createKeyImageLearner({
    db,
    clock,
    logger: silentLogger,
    chain: "BTC",
    found: (_tx, { block, transaction }) => {
      entered.push(`${transaction.txid} in ${block.height}`);
      return Promise.resolve();
    },
    searchMempool: () => {
      searches.push(searches.length);
      return Promise.resolve();
    },
    isSigning: () => Promise.resolve(signing.isWaiting),
    writer: { keyImagesOf: (coins, signal) => writer.keyImagesOf(coins, signal) },
    reader: {
      unspentOutputs: () => Promise.resolve({ atHash: tip.hash, outpoints: new Set(unspent) }),
      headerByHash: () => Promise.resolve(chain.tip()),
      headerAt: (height) => Promise.resolve({ ...chain.tip(), height, hash: `h${height}` }),
      readBlock: () => Promise.reject(new Error("reads more than what blocks spend")),
      // The spenders are in the newest block.
      readSpends: ({ height }) =>
        Promise.resolve({
          sources: () => [],
          transactionsFrom: (sources) =>
            height < chain.tip().height
              ? []
              : spenders.filter(({ claims }) => claims.some((claim) => sources.has(claim))),
        }),
    },
  });
  const claims = async () =>
    (await listSpendableCoins(db, "BTC", { confirmations: 2, limit: 9, byKeyImage: true })).map(
      ({ claim }) => claim,
    );
  const learn = () => learner.run(never);
  const { isComplete } = learner;
  return {
    world,
    chain,
    tip,
    learn,
    isComplete,
    claims,
    asked,
    clock,
    signing,
    entered,
    searches,
    writer,
  };
}

/** Coins of older blocks that no wallet finds. */
async function addUnanswerable(count: number): Promise<void> {
  await sql(
    `insert into coin (chain, outpoint, units, watch_key, address_type, branch, key_index, block_height)
     select 'BTC', 'lost' || place || ':0', 1, 'lost', address_type, 0, 0, block_height - 1
     from generate_series(1, $1::int) as place, coin where outpoint = 'c:0'`,
    [count],
  );
}

const spender: OutgoingTransaction = {
  txid: "spender",
  sender: null,
  claims: ["ia", "ic"],
  payments: [],
  feeUnits: 1n,
};

describe("coins with key images", () => {
  it("are spent under the key image once it is known, and not before", async () => {
    const { learn, claims } = await setUp({ "a:0": "ia", "c:0": "ic" }, ["ia", "ic"]);
    expect(await claims()).toEqual([]);
    await learn();
    expect(await claims()).toEqual(["ia", "ic"]);
    expect(await readCoinValues(db, "BTC", ["ia", "b:0", "other"])).toEqual(
      new Map([
        ["ia", 300_000_000n],
        ["b:0", 200_000_000n],
      ]),
    );
    expect(await listUnspentOutpoints(db, "BTC")).toEqual(new Set(["ia", "b:0", "ic"]));
    await spendCoins(db, "BTC", [{ outpoint: "ic", height: 5 }]);
    expect(await claims()).toEqual(["ia"]);
  });

  it("are not offered while a spend claims the key image", async () => {
    const { world, learn, claims } = await setUp({ "a:0": "ia", "c:0": "ic" }, ["ia", "ic"]);
    await learn();
    await world.spend({ chain: "BTC", kind: "payout", txid: "p", claims: ["ia"] });
    expect(await claims()).toEqual(["ic"]);
    expect(await takeClaims(db, { chain: "BTC", id: "1" }, ["ia"])).toEqual([]);
  });

  it("are not offered if a block has spent them before the key image was known", async () => {
    const known = { "a:0": "ia", "b:0": "ib", "c:0": "ic" };
    const { learn, claims, chain, entered } = await setUp(known, ["ib"], [spender]);
    await learn();
    expect(await claims()).toEqual(["ib"]);
    expect(entered).toEqual([`spender in ${chain.tip().height}`]);
    const [coin] = await sql<{ spent_height: string | null; is_doubted: boolean }>(
      "select spent_height, is_doubted from coin where key_image = 'ia'",
    );
    expect(present(coin, "the coin")).toMatchObject({ is_doubted: false });
    expect(coin?.spent_height).toBe(String(chain.tip().height));
  });

  it("are not stored without the transaction that spent them", async () => {
    const { learn, claims, entered, isComplete } = await setUp({ "a:0": "ia", "c:0": "ic" }, []);
    await learn();
    expect([await claims(), entered, isComplete()]).toEqual([[], [], false]);
    expect(await sql("select from coin where key_image is not null")).toEqual([]);
  });

  it("are not stored while the node is at another block than the follower", async () => {
    const known = { "a:0": "ia", "b:0": "ib", "c:0": "ic" };
    const { learn, claims, tip, chain, isComplete } = await setUp(known, ["ia", "ib", "ic"]);
    tip.hash = "another";
    await learn();
    expect([await claims(), isComplete()]).toEqual([[], false]);
    tip.hash = chain.tip().hash;
    await learn();
    expect([await claims(), isComplete()]).toEqual([["ia", "ib", "ic"], true]);
  });

  it("are complete once all were asked for, and the mempool was searched with them", async () => {
    const { learn, isComplete, searches, clock } = await setUp({ "a:0": "ia" }, ["ia"]);
    expect(isComplete()).toBe(false);
    await learn();
    expect([isComplete(), searches.length]).toEqual([false, 1]);
    // The two others are in no answer: then they are asked about again.
    for (const isEnough of [false, true]) {
      clock.advance(10);
      await learn();
      expect(isComplete()).toBe(isEnough);
    }
  });

  it("have one key image each: the second output with the same one is never offered", async () => {
    const { learn, claims } = await setUp({ "a:0": "ia", "b:0": "ia" }, ["ia"]);
    await learn();
    expect(await claims()).toEqual(["ia"]);
  });

  it("are asked about once, again after a while, and again while a transaction waits for the signer", async () => {
    const { learn, asked, clock, signing } = await setUp({ "a:0": "ia" }, ["ia"]);
    await learn();
    await learn();
    await learn();
    expect(asked).toEqual([["a:0", "b:0", "c:0"]]);
    clock.advance(10);
    await learn();
    expect(asked.slice(1)).toEqual([["b:0", "c:0"]]);
    await sql("update coin set spent_height = 1");
    clock.advance(10);
    await learn();
    expect(asked).toHaveLength(2);
    signing.isWaiting = true;
    await learn();
    expect(asked.slice(2)).toEqual([[]]);
  });

  it("that are never found delay no others, however many they are", async () => {
    const { learn, claims, clock, isComplete } = await setUp({ "c:0": "ic" }, ["ic"]);
    await addUnanswerable(500);
    await learn();
    expect(await claims()).toEqual([]);
    await learn();
    expect([await claims(), isComplete()]).toEqual([["ic"], false]);
    for (const isEnough of [false, true]) {
      clock.advance(10);
      await learn();
      await learn();
      expect(isComplete()).toBe(isEnough);
    }
    expect(await waitsForKeyImages(db, "BTC")).toBe(false);
  });

  it("that are never found are asked about ever more rarely, all at once", async () => {
    const { learn, asked, clock } = await setUp({}, []);
    await learn();
    await addUnanswerable(2);
    clock.advance(4);
    await learn();
    expect(asked.map(({ length }) => length)).toEqual([3, 2]);
    const sizes: number[][] = [];
    for (let hour = 0; hour < 4; hour += 1) {
      asked.length = 0;
      for (let step = 0; step < 360; step += 1) {
        clock.advance(10);
        await learn();
      }
      sizes.push(asked.map(({ length }) => length));
    }
    const [first, ...later] = sizes;
    expect(first!.length).toBeLessThan(12);
    expect(first!.at(-1)).toBe(5);
    expect(later.flat().length).toBeLessThan(5);
    expect(new Set(later.flat())).toEqual(new Set([5]));
  });

  it("count as asked about only once the answer is stored, and not if the signer fails", async () => {
    const { learn, asked, clock, tip, writer } = await setUp({ "a:0": "ia" }, ["ia"]);
    writer.keyImagesOf = () => Promise.reject(new Unavailable("signer", "away"));
    for (let failure = 0; failure < 4; failure += 1) {
      await expect(learn()).rejects.toThrow("away");
      await learn();
      clock.advance(10);
    }
    expect([asked, await waitsForKeyImages(db, "BTC")]).toEqual([[], true]);
    writer.keyImagesOf = writer.answer;
    tip.hash = "another";
    await learn();
    await learn();
    expect(asked.map(({ length }) => length)).toEqual([3, 3]);
  });
});
