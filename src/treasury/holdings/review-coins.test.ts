import { describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import {
  announceChain,
  arrangeDeposit,
  arrangeWallet,
  btc,
  payment,
} from "../../../test/support/deposit-world.ts";
import { treasuryWorld } from "../../../test/support/treasury-world.ts";
import type { TransactionStatus, UnspentOutputs } from "../../chains/port.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { listSpendableCoins, markCoinsDoubtful } from "./coin.store.ts";
import { type CoinReview, reviewCoins } from "./review-coins.ts";

/* Bitcoin needs 2 confirmations here. */

const database = useDatabase();
const { db, sql } = database;

/** Two doubtful coins, `lost` and `kept`, and a scripted node. */
async function setUp() {
  for (const table of ["coin", "spend_claim", "spend_attempt", "spend", "transfer"])
    await sql(`delete from ${table}`);
  const world = treasuryWorld(database);
  const chain = await announceChain(world, "BTC");
  const deposit = await arrangeDeposit(world, await arrangeWallet(world, { currency: btc }));
  await chain.append([
    payment({ deposit, txid: "lost", amount: "1" }),
    payment({ deposit, txid: "kept", amount: "2" }),
  ]);
  await chain.grow(2);
  await markCoinsDoubtful(db, "BTC", ["lost:0", "kept:0"]);
  const unknown: TransactionStatus = { kind: "unknown" };
  return {
    chain,
    claims: async () =>
      (await listSpendableCoins(db, "BTC", { confirmations: 2, limit: 9 })).map(
        ({ claim }) => claim,
      ),
    doubted: async () =>
      (
        await sql<{ outpoint: string }>("select outpoint from coin where is_doubted order by 1")
      ).map(({ outpoint }) => outpoint),
    spent: async () =>
      await sql<{ outpoint: string; spent_height: string }>(
        "select outpoint, spent_height from coin where spent_height is not null order by 1",
      ),
    /** `there` are the node's unspent coins at the block with that hash. */
    review: (
      atHash: string | null,
      there: readonly string[],
      fateOf: (outpoint: string) => TransactionStatus = () => unknown,
    ) => {
      const said: UnspentOutputs | null =
        atHash === null ? null : { atHash, outpoints: new Set(there) };
      const reader: CoinReview["reader"] = {
        unspentOutputs: () => Promise.resolve(said),
        statusOf: (_txid, [outpoint = ""]) => Promise.resolve(fateOf(outpoint)),
      };
      return reviewCoins({ db, logger: silentLogger, chain: "BTC", reader }, never);
    },
  };
}

const never = new AbortController().signal;

describe("reviewCoins", () => {
  it("makes unspent coins available again and marks the others as spent, if the node is at our block", async () => {
    const { chain, claims, doubted, review, spent } = await setUp();
    expect(await claims()).toEqual([]);
    const { hash, height } = chain.tip();
    await review(hash, ["kept:0"], () => ({ kind: "conflicted", by: "thief", height: height - 1 }));
    expect(await claims()).toEqual(["kept:0"]);
    expect(await doubted()).toEqual([]);
    expect(await spent()).toEqual([{ outpoint: "lost:0", spent_height: String(height - 1) }]);
    // The block of the foreign transaction may leave the chain again.
    await chain.orphan();
    await chain.orphan();
    await chain.grow(2);
    expect(await claims()).toEqual(["kept:0", "lost:0"]);
  });

  it("needs no spender, and never records a height above our own", async () => {
    const { chain, review, spent } = await setUp();
    const { hash, height } = chain.tip();
    await review(hash, ["kept:0"], () => ({ kind: "conflicted", by: null, height: height + 7 }));
    expect(await spent()).toEqual([{ outpoint: "lost:0", spent_height: String(height) }]);
  });

  it("ignores a node that lags, follows another branch or is ahead", async () => {
    const { chain, claims, doubted, review, spent } = await setUp();
    const behind = chain.tip().hash;
    await chain.grow(1);
    for (const atHash of [behind, "f".repeat(64), null]) {
      await review(atHash, ["lost:0", "kept:0"]);
      await review(atHash, [], () => ({ kind: "conflicted", by: "x", height: chain.tip().height }));
      expect(await doubted()).toEqual(["kept:0", "lost:0"]);
      expect(await spent()).toEqual([]);
      expect(await claims()).toEqual([]);
    }
    await review(chain.tip().hash, ["lost:0", "kept:0"]);
    expect(await claims()).toEqual(["kept:0", "lost:0"]);
  });

  it("ignores an answer if a block arrives while the node is asked", async () => {
    const { chain, doubted } = await setUp();
    const reader: CoinReview["reader"] = {
      unspentOutputs: async (outpoints) => {
        const atHash = chain.tip().hash;
        await chain.grow(1);
        return { atHash, outpoints: new Set(outpoints) };
      },
      statusOf: () => Promise.resolve({ kind: "unknown" }),
    };
    await reviewCoins({ db, logger: silentLogger, chain: "BTC", reader }, never);
    expect(await doubted()).toEqual(["kept:0", "lost:0"]);
  });

  it("leaves a coin alone while it is in no block", async () => {
    const { chain, doubted, review } = await setUp();
    for (let blocks = 0; blocks < 3; blocks += 1) await chain.orphan();
    await review(chain.tip().hash, []);
    expect(await doubted()).toEqual(["kept:0", "lost:0"]);
  });

  it("changes nothing if the node does not respond, and asks nothing on account chains", async () => {
    const { doubted } = await setUp();
    const silent = (): Promise<never> => Promise.reject(new Unavailable("BTC", "the node is off"));
    const context = { db, logger: silentLogger, chain: "BTC" };
    const reader = { unspentOutputs: silent, statusOf: silent };
    await expect(reviewCoins({ ...context, reader }, never)).rejects.toThrow(Unavailable);
    await reviewCoins({ ...context, reader: { ...reader, unspentOutputs: null } }, never);
    expect(await doubted()).toEqual(["kept:0", "lost:0"]);
  });
});
