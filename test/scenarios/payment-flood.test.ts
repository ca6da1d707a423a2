import { afterEach, describe, expect, it } from "vitest";
import { walletType } from "../../src/accounts/wallets/wallet.ts";
import { noOwnActivity } from "../../src/chains/block-sink.ts";
import type { Deposit } from "../../src/deposits/deposit.ts";
import { concludeExpiries } from "../../src/deposits/payments/conclude-expiries.ts";
import { decideReported } from "../../src/deposits/payments/decide-reported.ts";
import { expectBooksToBalance, ledgerSums } from "../support/check-books.ts";
import { useDatabase } from "../support/database.ts";
import {
  announceChain,
  arrangeDeposit,
  arrangeWallet,
  type DepositWorld,
  depositWorld,
  eth,
  payment,
  rateOf,
  readBalance,
  readDeposit,
  readEvents,
  readTransfers,
  units,
  usd,
} from "../support/deposit-world.ts";
import { createMortal } from "../support/mortal.ts";

/*
 * More payments to one deposit than a block's transaction applies, and payments to a deposit that another transaction has locked:
 * the follower records them and continues, and they are applied afterwards with the same outcome.
 */

const database = useDatabase();
const { signal } = new AbortController();
afterEach(() => expectBooksToBalance(database));

const small = "0.00004";

async function arrange(world: DepositWorld, requested?: string) {
  world.rates.set(`${eth} ${usd}`, rateOf("2500"));
  const wallet = await arrangeWallet(world, { type: walletType.merchant, currency: usd });
  const terms = requested === undefined ? {} : { requested };
  const deposit = await arrangeDeposit(world, wallet, { currency: eth, ...terms, timeLimit: 60 });
  return { wallet, deposit };
}

function flood(deposit: Deposit, count: number) {
  return Array.from({ length: count }, (_, index) =>
    payment({ deposit, amount: small, txid: `flood ${deposit.id}`, index }),
  );
}

/** Does `work` while another transaction has the deposit's row locked. */
async function whileLocked(deposit: Deposit, work: () => Promise<void>): Promise<void> {
  await database.db.transaction(async (tx) => {
    const lock = { name: "", text: "select from deposit where id = $1 for update" };
    await tx.query(lock, [deposit.id]);
    await work();
  });
}

const chainUnits = async (): Promise<bigint> =>
  (await ledgerSums(database, `chain/${eth}`))[0]?.units ?? 0n;

describe("a flood of payments", () => {
  it("blocks neither the follower nor other deposits while a writer holds a deposit's lock", {
    timeout: 20_000,
  }, async () => {
    const world = depositWorld(database);
    const chain = await announceChain(world, "ETH");
    const wallet = await arrangeWallet(world);
    const [held, free] = [await arrangeDeposit(world, wallet), await arrangeDeposit(world, wallet)];
    const before = await chainUnits();
    await whileLocked(held, async () => {
      await chain.append([
        payment({ deposit: held, amount: "1" }),
        payment({ deposit: free, amount: "2" }),
      ]);
      expect(await readTransfers(world, free)).toHaveLength(1);
      expect(await chainUnits()).toBe(before + units("3", eth));
    });
    await chain.grow(3);
    expect((await readDeposit(world, held)).sums.enrolled).toBe(units("1", eth));
    expect(await readEvents(world, held)).toEqual(["confirmed"]);
    expect(await readBalance(world, wallet)).toMatchObject({ available: units("3", eth) });
  });

  it("does not let a deposit expire while payments are recorded and not yet applied", async () => {
    const world = depositWorld(database);
    const chain = await announceChain(world, "ETH");
    const { deposit } = await arrange(world, "100");
    const hits = [payment({ deposit, amount: "0.04" })];
    await whileLocked(deposit, async () => {
      await chain.append(hits);
      world.clock.advance(61);
      await chain.append();
      await chain.catchUp();
      expect(await concludeExpiries({ ...world.context, idleChains: [] })).toBe(0);
    });
    await chain.grow(3);
    expect(await readDeposit(world, deposit)).toMatchObject({ status: 3, expiryConcludedAt: null });
  });

  it("credits 1,200 payments in a block to the unit once the amount is reached, and reports each once", async () => {
    const world = depositWorld(database);
    const chain = await announceChain(world, "ETH");
    const { wallet, deposit } = await arrange(world, "120");
    await chain.append(flood(deposit, 1_200));
    world.clock.advance(1);
    await chain.grow(3);
    expect(await readDeposit(world, deposit)).toMatchObject({
      status: 3,
      sums: { targetPaid: 12_000n, enrolled: 12_000n, sourcePaid: units("0.048", eth) },
    });
    expect(await readBalance(world, wallet)).toMatchObject({ available: 12_000n, pending: 0n });
    const events = await readEvents(world, deposit);
    expect(events.filter((trigger) => trigger === "confirmed")).toHaveLength(1_200);
    expect(events.filter((trigger) => trigger === "status")).toHaveLength(1);
  });

  it("credits payments once that are seen, included, orphaned and included again before they are applied", async () => {
    const world = depositWorld(database);
    const chain = await announceChain(world, "ETH");
    const { wallet, deposit } = await arrange(world);
    const before = await chainUnits();
    const hits = flood(deposit, 30);
    const all = units("0.0012", eth);
    await whileLocked(deposit, async () => {
      await chain.see(hits);
      await chain.append(hits);
      await chain.repeat(hits);
      expect(await chainUnits()).toBe(before + all);
      await chain.orphan();
      expect(await chainUnits()).toBe(before);
      await chain.append(hits.slice(0, 20));
      expect(await chainUnits()).toBe(before + (all * 20n) / 30n);
    });
    await chain.append(hits.slice(20));
    await chain.grow(3);
    expect(await chainUnits()).toBe(before + all);
    expect(await readTransfers(world, deposit)).toHaveLength(30);
    expect(await readBalance(world, wallet)).toMatchObject({ available: 300n, pending: 0n });
    expect(new Set(await readEvents(world, deposit))).toEqual(new Set(["confirmed"]));
  });

  it("neither gives up nor loses a payment whose block was only recorded", async () => {
    const world = depositWorld(database);
    const chain = await announceChain(world, "ETH");
    const { wallet, deposit } = await arrange(world);
    const before = await chainUnits();
    const [hit] = flood(deposit, 1);
    const hits = hit === undefined ? [] : [hit];
    await chain.see(hits);
    await whileLocked(deposit, async () => {
      await chain.append(hits);
      await chain.conflict(`flood ${deposit.id}`);
      expect(await chainUnits()).toBe(before + units(small, eth));
      await chain.orphan();
      expect(await chainUnits()).toBe(before);
      await chain.append(hits);
    });
    await chain.grow(3);
    expect(await chainUnits()).toBe(before + units(small, eth));
    expect(await readBalance(world, wallet)).toMatchObject({ available: 10n, pending: 0n });
  });

  it("reverses all payments of an orphaned block, applied or not", async () => {
    const world = depositWorld(database);
    const chain = await announceChain(world, "ETH");
    const { wallet, deposit } = await arrange(world);
    const before = await chainUnits();
    const hits = flood(deposit, 600);
    for (const depth of [1, 4]) {
      await chain.append(hits);
      await chain.grow(depth - 1);
      world.clock.advance(1);
      for (let block = 0; block < depth; block += 1) await chain.orphan();
      expect(await chainUnits()).toBe(before);
      expect(await readBalance(world, wallet)).toMatchObject({ available: 0n, pending: 6_000n });
    }
    await chain.append(hits);
    world.clock.advance(1);
    await chain.grow(3);
    expect(await readBalance(world, wallet)).toMatchObject({ available: 6_000n, pending: 0n });
  });

  it("leads to the same books whenever the process dies, in the block's transaction or afterwards", {
    timeout: 900_000,
  }, async () => {
    const mortal = createMortal();
    const world = depositWorld({ ...database, db: mortal.database(database.db) });
    let deaths = 0;
    for (let isAlive = false; !isAlive; ) {
      mortal.restart();
      const chain = await announceChain(world, "ETH");
      const { wallet, deposit } = await arrange(world);
      const hits = flood(deposit, 210);
      const block = { ...chain.tip(), height: chain.tip().height + 1, hash: `flood ${deposit.id}` };
      const follow = async (): Promise<void> => {
        await world.context.db.transaction(async (tx) => {
          const move = {
            name: "",
            text: "update chain_cursor set height = $1 where chain = 'ETH'",
          };
          await tx.query(move, [block.height]);
          await world.sink.appended(tx, "ETH", block, hits, world.clock.now(), noOwnActivity);
        });
        await decideReported(world.context, signal);
      };
      mortal.restart(deaths + 1);
      await follow().catch((error: unknown) => {
        if (!mortal.isDead()) throw error;
      });
      isAlive = !mortal.isDead();
      if (!isAlive) deaths += 1;
      mortal.restart();
      await follow();
      expect(await readTransfers(world, deposit)).toHaveLength(hits.length);
      expect(await readBalance(world, wallet)).toMatchObject({ available: 0n, pending: 2_100n });
    }
    // The block's transaction and the one that applies payments: fewer moments would mean that little was done.
    expect(deaths).toBeGreaterThan(15);
  });
});
