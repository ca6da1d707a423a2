import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Deposit } from "../../src/deposits/deposit.ts";
import { changeDeposit } from "../../src/deposits/payments/change-deposit.ts";
import { concludeExpiries } from "../../src/deposits/payments/conclude-expiries.ts";
import { addSeconds } from "../../src/platform/kernel/clock.ts";
import { expectBooksToBalance } from "../support/check-books.ts";
import { useDatabase } from "../support/database.ts";
import {
  type AnnouncingChain,
  announceChain,
  arrangeDeposit,
  arrangeWallet,
  btc,
  depositWorld,
  ownerOf,
  payment,
  readBalance,
  readDeposit,
  readEvents,
  readTransfers,
} from "../support/deposit-world.ts";

/*
 * Time limits of Merchant deposits. A deposit ends only when the follower has read blocks and mempool beyond its expiry, so every
 * test states how far it has read. Bitcoin deposits of a bitcoin wallet, 100 seconds, 1 BTC requested.
 */

const database = useDatabase();
const world = depositWorld(database);
let chain: AnnouncingChain;
beforeEach(async () => {
  chain = await announceChain(world, "BTC");
});
afterEach(() => expectBooksToBalance(database));

const conclude = (idleChains: readonly string[] = []): Promise<number> =>
  concludeExpiries({ ...world.context, idleChains });

async function invoice(requested: string | undefined = "1"): Promise<Deposit> {
  const wallet = await arrangeWallet(world, { type: 1, currency: btc });
  return arrangeDeposit(world, wallet, {
    timeLimit: 100,
    ...(requested === "none" ? {} : { requested }),
  });
}

async function status(deposit: Deposit): Promise<string> {
  const { status, statusReason } = await readDeposit(world, deposit);
  return `${status} ${statusReason ?? ""}`.trim();
}

/** The follower reads a block and the mempool at this time. */
async function readOn(): Promise<void> {
  await chain.append();
  await chain.catchUp();
}

describe("the time limit of a deposit", () => {
  it("ends an unpaid deposit as Canceled once, with one callback", async () => {
    const deposit = await invoice();
    world.clock.advance(100);
    await readOn();
    expect(await conclude()).toBe(0);
    world.clock.advance(1);
    await readOn();
    expect(await conclude()).toBe(1);
    expect(await status(deposit)).toBe("4 expired");
    expect(await conclude()).toBe(0);
    expect(await readEvents(world, deposit)).toEqual(["status"]);
  });

  it("cancels nothing while the follower lags behind in blocks or in the mempool", async () => {
    const deposit = await invoice();
    world.clock.advance(200);
    expect(await conclude()).toBe(0);
    await chain.catchUp();
    expect(await conclude(), "blocks are not read to the expiry").toBe(0);
    expect(await conclude(["BTC"]), "a chain without automatic blocks").toBe(1);
    expect(await status(deposit)).toBe("4 expired");

    const other = await invoice();
    world.clock.advance(200);
    await chain.append();
    expect(await conclude(), "the mempool was last read before the expiry").toBe(0);
    expect(await status(other)).toBe("2");
    await chain.append([payment({ deposit: other, amount: "1" })], {
      time: addSeconds(world.clock.now(), -150),
    });
    await chain.grow(1);
    await chain.catchUp();
    expect(await conclude()).toBe(0);
    expect(await status(other)).toBe("3");
  });

  it("keeps the deposit open for a payment seen in time until it is final, however late", async () => {
    const deposit = await invoice();
    const hit = payment({ deposit, amount: "1" });
    world.clock.advance(99);
    await chain.see([hit]);
    world.clock.advance(1_000);
    await readOn();
    expect(await conclude()).toBe(0);
    expect(await status(deposit)).toBe("2");
    await chain.append([hit]);
    await chain.grow(1);
    expect(await status(deposit)).toBe("3");
    expect(await readEvents(world, deposit)).toEqual(["confirmed", "status"]);
  });

  it("accepts a payment seen late in the mempool if its block is from before the expiry", async () => {
    const deposit = await invoice();
    const hit = payment({ deposit, amount: "1" });
    const inTime = addSeconds(world.clock.now(), 90);
    world.clock.advance(110);
    await chain.see([hit]);
    await chain.append([hit], { time: inTime });
    await chain.grow(1);
    expect(await status(deposit)).toBe("3");
    await chain.grow(1);
    await chain.repeat();
    expect(await status(deposit)).toBe("3");
    expect((await readTransfers(world, deposit))[0]!.firstSeenAt).toBe(inTime);
  });

  it("ends a partly paid deposit as Unresolved, after waiting for a pending part", async () => {
    const deposit = await invoice();
    await chain.append([payment({ deposit, amount: "0.4" })]);
    const hit = payment({ deposit, amount: "0.5" });
    await chain.see([hit]);
    world.clock.advance(200);
    await readOn();
    expect(await conclude()).toBe(0);
    await chain.append([hit]);
    await readOn();
    expect(await conclude()).toBe(1);
    expect(await status(deposit)).toBe("5 partial");
    expect((await readTransfers(world, deposit)).map(({ disposition }) => disposition)).toEqual([
      "unresolved",
      "unresolved",
    ]);
  });

  it("ends as Canceled when a conflict removes the part that it waited for", async () => {
    const deposit = await invoice();
    await chain.see([payment({ deposit, amount: "0.4", txid: "vanishes" })]);
    world.clock.advance(200);
    await readOn();
    expect(await conclude()).toBe(0);
    await chain.conflict("vanishes");
    expect(await conclude()).toBe(1);
    expect(await status(deposit)).toBe("4 expired");
  });

  it("puts a late payment on hold, without keeping a deposit open or reopening an ended one while it is pending", async () => {
    const deposit = await invoice();
    world.clock.advance(101);
    const hit = payment({ deposit, amount: "1" });
    await chain.see([hit]);
    await readOn();
    expect(await conclude()).toBe(1);
    expect(await status(deposit)).toBe("4 expired");
    const another = payment({ deposit, amount: "2" });
    await chain.see([another]);
    expect(await status(deposit)).toBe("4 expired");
    await chain.append([hit, another]);
    await chain.grow(1);
    expect(await status(deposit)).toBe("5 late");
    expect(await readBalance(world, deposit)).toMatchObject({ available: 0n, pending: 0n });
    expect(await readEvents(world, deposit)).toEqual([
      ...["status", "confirmed", "confirmed", "status"],
    ]);
  });

  it("ends as Canceled without payments if no amount was requested, and otherwise stays Created", async () => {
    const [empty, paid] = [await invoice("none"), await invoice("none")];
    await chain.append([payment({ deposit: paid, amount: "0.1" })]);
    await chain.grow(1);
    world.clock.advance(200);
    await readOn();
    expect(await conclude()).toBe(2);
    expect(await status(empty)).toBe("4 expired");
    expect(await status(paid)).toBe("2");
    expect(await conclude()).toBe(0);
  });

  it("neither ends again nor reopens when its label changes after the end", async () => {
    const deposit = await invoice();
    world.clock.advance(200);
    await readOn();
    await conclude();
    const patch = { label: "Old", trackingId: undefined, timeLimit: undefined };
    await changeDeposit(world.context, ownerOf(deposit.accountId), deposit.id, patch);
    expect((await readDeposit(world, deposit)).expiryConcludedAt).not.toBeNull();
    await chain.see([payment({ deposit, amount: "1" })]);
    expect(await status(deposit)).toBe("4 expired");
  });

  it("extends the deposit with a new time limit", async () => {
    const deposit = await invoice();
    world.clock.advance(99);
    const patch = { label: undefined, trackingId: undefined, timeLimit: 100 };
    await changeDeposit(world.context, ownerOf(deposit.accountId), deposit.id, patch);
    world.clock.advance(50);
    await readOn();
    expect(await conclude()).toBe(0);
    world.clock.advance(51);
    await readOn();
    expect(await conclude()).toBe(1);
  });

  it("ends more deposits than one batch contains together", async () => {
    const first = await invoice();
    await database.sql(
      `insert into deposit (account_id, wallet_id, status, wallet_type, wallet_currency, currency, chain, time_limit,
       expires_at, payment_page_id, created_by_credential_id, created_at, updated_at)
     select account_id, wallet_id, 2, 1, '1000', '1000', 'BTC', 100, expires_at, gen_random_uuid(), 1, created_at, created_at
     from deposit, generate_series(1, 449) where id = $1`,
      [first.id],
    );
    world.clock.advance(200);
    await readOn();
    expect(await conclude()).toBe(450);
  });
});
