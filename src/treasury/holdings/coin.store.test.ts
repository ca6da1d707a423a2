import { describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import {
  announceChain,
  arrangeDeposit,
  arrangeWallet,
  btc,
  payment,
} from "../../../test/support/deposit-world.ts";
import { arrival, treasuryWorld } from "../../../test/support/treasury-world.ts";
import { noOwnActivity } from "../../chains/block-sink.ts";
import { listSpendableCoins } from "./coin.store.ts";

/* Bitcoin needs 2 confirmations here. */

const database = useDatabase();
const { db, sql } = database;

async function setUp() {
  for (const table of ["coin", "spend_claim", "spend_attempt", "spend", "transfer"])
    await sql(`delete from ${table}`);
  const world = treasuryWorld(database);
  const chain = await announceChain(world, "BTC");
  const deposit = await arrangeDeposit(world, await arrangeWallet(world, { currency: btc }));
  const paid = (txid: string, amount: string, spendableFromHeight?: number) =>
    payment({
      deposit,
      txid,
      amount,
      ...(spendableFromHeight === undefined ? {} : { spendableFromHeight }),
    });
  const claims = async (limit = 100) =>
    (await listSpendableCoins(db, "BTC", { confirmations: 2, limit })).map(({ claim }) => claim);
  return { world, chain, paid, claims };
}

describe("listSpendableCoins", () => {
  it("lists the largest coins first, only at the currency's own depth, up to the limit", async () => {
    const { world, chain, paid, claims } = await setUp();
    const change = arrival(world.bitcoin, {
      purpose: "change",
      txid: "c",
      keyIndex: 3,
      units: 2_000n,
      currency: btc,
    });
    await chain.append([paid("a", "0.00001"), paid("b", "0.00003")], {
      own: { ...noOwnActivity, arrivals: [change] },
    });
    expect(await claims()).toEqual([]);
    await chain.grow(1);
    expect(await claims()).toEqual(["b:0", "c:0", "a:0"]);
    expect(await claims(2)).toEqual(["b:0", "c:0"]);
    const [, coin] = await listSpendableCoins(db, "BTC", { confirmations: 2, limit: 2 });
    expect(coin).toEqual({ claim: "c:0", units: 2_000n, addressType: "", branch: 1, keyIndex: 3 });
    await chain.orphan();
    expect(await claims()).toEqual([]);
  });

  it("lists the coins of a locked block at once, and those above it at their depth", async () => {
    const { chain, paid, claims } = await setUp();
    await chain.append([paid("a", "1")]);
    await sql("update chain_cursor set locked_height = height where chain = 'BTC'");
    await chain.append([paid("b", "2")]);
    await sql("update chain_cursor set locked_height = height - 1 where chain = 'BTC'");
    expect(await claims()).toEqual(["a:0"]);
    await chain.append([paid("c", "3")]);
    await sql("update chain_cursor set locked_height = height where chain = 'BTC'");
    expect(await claims()).toEqual(["c:0", "b:0", "a:0"]);
  });

  it("leaves out a block reward until the next block may spend it", async () => {
    const { chain, paid, claims } = await setUp();
    const height = chain.tip().height + 1;
    await chain.append([paid("reward", "1", height + 4)]);
    await chain.grow(2);
    expect(await claims()).toEqual([]);
    await chain.grow(1);
    expect(await claims()).toEqual(["reward:0"]);
  });

  it("leaves out a coin that a spend claims, until the spend gives up its claim", async () => {
    const { world, chain, paid, claims } = await setUp();
    await chain.append([paid("a", "1"), paid("b", "2")]);
    await chain.grow(1);
    await world.spend({ chain: "BTC", kind: "payout", txid: "out", claims: ["b:0"] });
    expect(await claims()).toEqual(["a:0"]);
    await sql("update spend_claim set is_live = false where claim = 'b:0'");
    expect(await claims()).toEqual(["b:0", "a:0"]);
  });

  it("leaves out a coin of which all is withheld", async () => {
    const { chain, paid, claims } = await setUp();
    await chain.append([paid("tokens", "1"), paid("part", "2"), paid("ada", "3")]);
    await chain.grow(2);
    const withhold = (txid: string, part: string) =>
      sql(
        `update transfer set withheld_units = units${part}, units = units - units${part} where txid = '${txid}'`,
      );
    await withhold("tokens", "");
    await withhold("part", " / 2");
    expect(await claims()).toEqual(["ada:0", "part:0"]);
  });

  it("leaves out money that screening blocked or has not checked yet", async () => {
    const { chain, paid, claims } = await setUp();
    await chain.append([paid("red", "1"), paid("queued", "2"), paid("green", "3")]);
    await chain.grow(2);
    await sql("update transfer set disposition = 'blocked' where txid = 'red'");
    await sql("update transfer set risk_status = 2 where txid = 'queued'");
    expect(await claims()).toEqual(["green:0"]);
  });
});
