import { afterEach, describe, expect, it } from "vitest";
import { expectBooksToBalance, ledgerSums } from "../support/check-books.ts";
import { useDatabase } from "../support/database.ts";
import {
  announceChain,
  arrangeDeposit,
  arrangeWallet,
  bnb,
  btc,
  depositWorld,
  eth,
  payment,
  readBalance,
  readDeposit,
  readEvents,
  readTransfers,
  units,
  usdt,
} from "../support/deposit-world.ts";

/*
 * Deposits of Enterprise wallets on a real database, notified of blocks as the follower does it. Ether needs 3 confirmations
 * here. After each test the books are compared with the transfers.
 */

const database = useDatabase();
const world = depositWorld(database);
afterEach(() => expectBooksToBalance(database));

const ether = (amount: string): bigint => units(amount, eth);

describe("an Enterprise deposit, end to end", () => {
  it("keeps a payment pending from its block on, and credits it at the currency's own confirmations with one callback", async () => {
    const chain = await announceChain(world, "ETH");
    const wallet = await arrangeWallet(world);
    const deposit = await arrangeDeposit(world, wallet);
    await chain.append([payment({ deposit, amount: "1.5" })]);
    expect(await readBalance(world, wallet)).toMatchObject({
      pending: ether("1.5"),
      available: 0n,
    });
    expect(await readEvents(world, deposit)).toEqual([]);
    await chain.grow(1);
    expect(await readBalance(world, wallet)).toMatchObject({
      pending: ether("1.5"),
      available: 0n,
    });
    await chain.grow(1);
    expect(await readBalance(world, wallet)).toMatchObject({
      pending: 0n,
      available: ether("1.5"),
    });
    expect(await readEvents(world, deposit)).toEqual(["confirmed"]);
    const { status, sums, assets } = await readDeposit(world, deposit);
    expect({ status, ...sums, assets }).toMatchObject({
      status: 2,
      targetPaid: ether("1.5"),
      targetPaidPending: 0n,
      enrolled: ether("1.5"),
      assets: { [eth]: ether("1.5") },
    });
    const [transfer] = await readTransfers(world, deposit);
    expect(transfer).toMatchObject({ status: 2, disposition: "credited", dueHeight: null });
  });

  it("reports a client's own confirmation count, and keeps the money pending until the currency's", async () => {
    const chain = await announceChain(world, "ETH");
    const wallet = await arrangeWallet(world);
    const deposit = await arrangeDeposit(world, wallet, { confirmationsNeeded: 1 });
    await chain.append([payment({ deposit, amount: "2" })]);
    expect(await readEvents(world, deposit)).toEqual(["confirmed"]);
    expect((await readDeposit(world, deposit)).sums).toMatchObject({
      targetPaid: ether("2"),
      enrolled: 0n,
    });
    expect(await readBalance(world, wallet)).toMatchObject({ pending: ether("2"), available: 0n });
    await chain.grow(2);
    expect(await readEvents(world, deposit)).toEqual(["confirmed", "settled"]);
    expect(await readBalance(world, wallet)).toMatchObject({ pending: 0n, available: ether("2") });
  });

  it("credits every payment, each output of a transaction separately", async () => {
    const chain = await announceChain(world, "ETH");
    const wallet = await arrangeWallet(world);
    const [first, second] = [
      await arrangeDeposit(world, wallet),
      await arrangeDeposit(world, wallet),
    ];
    await chain.append([
      payment({ deposit: first, amount: "1", txid: "batch", index: 0 }),
      payment({ deposit: first, amount: "2", txid: "batch", index: 3 }),
      payment({ deposit: second, amount: "4", txid: "batch", index: 1 }),
    ]);
    await chain.append([payment({ deposit: first, amount: "8" })]);
    await chain.grow(2);
    expect((await readDeposit(world, first)).sums.enrolled).toBe(ether("11"));
    expect((await readDeposit(world, second)).sums.enrolled).toBe(ether("4"));
    expect(await readBalance(world, wallet)).toMatchObject({ available: ether("15"), pending: 0n });
    expect(await readEvents(world, first)).toEqual(["confirmed", "confirmed", "confirmed"]);
  });

  it("ignores a block or mempool state that it has already processed", async () => {
    const chain = await announceChain(world, "ETH");
    const wallet = await arrangeWallet(world);
    const deposit = await arrangeDeposit(world, wallet);
    const hits = [payment({ deposit, amount: "1" }), payment({ deposit, amount: "2" })];
    const everything = async () => ({
      deposit: await readDeposit(world, deposit),
      transfers: await readTransfers(world, deposit),
      events: await readEvents(world, deposit),
      balance: await readBalance(world, wallet),
      ledger: await ledgerSums(database),
    });
    await chain.see(hits);
    const seen = await everything();
    world.clock.advance(7);
    await chain.see(hits);
    expect(await everything()).toEqual(seen);
    await chain.append(hits);
    await chain.grow(1);
    const twoDeep = await everything();
    world.clock.advance(7);
    await chain.repeat();
    await chain.repeat(hits);
    expect((await readTransfers(world, deposit)).length).toBe(2);
    expect((await everything()).ledger).toEqual(twoDeep.ledger);
    await chain.grow(1);
    const settled = await everything();
    world.clock.advance(7);
    await chain.repeat();
    expect(await everything()).toEqual(settled);
  });

  it("keeps one transfer from the mempool into a block, and moves it from mempool to chain in the books", async () => {
    const chain = await announceChain(world, "BTC");
    const wallet = await arrangeWallet(world, { currency: btc });
    const deposit = await arrangeDeposit(world, wallet, { confirmationsNeeded: 0 });
    const hit = payment({ deposit, amount: "0.5" });
    await chain.see([hit]);
    expect(await readEvents(world, deposit)).toEqual(["confirmed"]);
    expect(await ledgerSums(database, "mempool/1000")).toHaveLength(1);
    expect(await readBalance(world, wallet)).toMatchObject({ pending: 50_000_000n });
    await chain.append([hit]);
    await chain.grow(1);
    expect(await ledgerSums(database, "mempool/1000")).toEqual([]);
    expect(await readBalance(world, wallet)).toMatchObject({ available: 50_000_000n, pending: 0n });
    expect(await readEvents(world, deposit)).toEqual(["confirmed", "settled"]);
    expect(await readTransfers(world, deposit)).toHaveLength(1);
  });

  it("makes mined coins payable only when they are spendable", async () => {
    const chain = await announceChain(world, "BTC");
    const wallet = await arrangeWallet(world, { currency: btc });
    const deposit = await arrangeDeposit(world, wallet);
    const spendableFromHeight = chain.tip().height + 10;
    await chain.append([payment({ deposit, amount: "50", spendableFromHeight })]);
    await chain.grow(1);
    expect(await readEvents(world, deposit)).toEqual(["confirmed"]);
    expect(await readBalance(world, wallet)).toMatchObject({ available: 0n });
    await chain.grow(7);
    expect(await readBalance(world, wallet)).toMatchObject({ available: 0n });
    await chain.grow(1);
    expect(chain.tip().height).toBe(spendableFromHeight);
    expect(await readBalance(world, wallet)).toMatchObject({ available: units("50", btc) });
    expect(await readEvents(world, deposit)).toEqual(["confirmed"]);
  });

  it("records and shows dust, other currencies, other chains and unknown tokens, and credits them to no wallet", async () => {
    const ethereum = await announceChain(world, "ETH");
    const binance = await announceChain(world, "BNB-BSC");
    const wallet = await arrangeWallet(world);
    const deposit = await arrangeDeposit(world, wallet);
    await ethereum.append([
      payment({ deposit, amount: "0.000001" }),
      payment({ deposit, amount: "25", currency: usdt }),
      payment({ deposit, amount: "12345", unlisted: "0xcafe" }),
    ]);
    await binance.append([payment({ deposit, amount: "3", currency: bnb })]);
    await ethereum.grow(2);
    await binance.grow(14);
    expect(await readBalance(world, wallet)).toEqual({ available: 0n, pending: 0n, deficit: 0n });
    const { sums, assets } = await readDeposit(world, deposit);
    expect(sums.targetPaid + sums.targetPaidPending).toBe(0n);
    expect(assets).toEqual({ [eth]: 10n ** 12n, [usdt]: 25_000_000n, [bnb]: units("3", bnb) });
    const seen = (await readTransfers(world, deposit)).map(
      ({ opType, status, disposition, currency, assetLocator }) =>
        [opType, status, disposition, currency ?? assetLocator].join(" "),
    );
    expect(seen).toEqual([
      "15 2 dust 1002",
      "1 2 misplaced 2015",
      "1 2 misplaced 0xcafe",
      "1 2 misplaced 1125",
    ]);
    expect((await readEvents(world, deposit)).toSorted()).toEqual([
      "dust (feed)",
      ...Array.from({ length: 3 }, () => "misplaced (feed)"),
    ]);
  });

  it("accepts only the token in a tokens wallet, and treats the chain's coin as misplaced", async () => {
    const chain = await announceChain(world, "ETH");
    const wallet = await arrangeWallet(world, { currency: usdt });
    const deposit = await arrangeDeposit(world, wallet);
    await chain.append([
      payment({ deposit, amount: "25.5" }),
      payment({ deposit, amount: "1", currency: eth }),
    ]);
    await chain.grow(2);
    expect(await readBalance(world, wallet)).toMatchObject({ available: 25_500_000n });
    expect(await readEvents(world, deposit)).toEqual(["confirmed", "misplaced (feed)"]);
  });

  it("deducts commission from the credit, rounded up, for the operator", async () => {
    const chain = await announceChain(world, "BTC");
    const wallet = await arrangeWallet(world, { currency: btc });
    const deposit = await arrangeDeposit(world, wallet, {
      commission: { ratePpm: 10_000, fixedUnits: 7n, minimumUnits: 0n },
    });
    await chain.append([payment({ deposit, amount: "0.00100001" })]);
    expect(await readBalance(world, wallet)).toMatchObject({ pending: 100_001n });
    expect((await readDeposit(world, deposit)).sums).toMatchObject({ commission: 0n });
    const before = (await ledgerSums(database, "commission/1000"))[0]?.units ?? 0n;
    await chain.grow(1);
    expect(await readBalance(world, wallet)).toMatchObject({ available: 98_993n, pending: 0n });
    expect((await ledgerSums(database, "commission/1000"))[0]!.units).toBe(before - 1_008n);
    expect((await readDeposit(world, deposit)).sums).toMatchObject({
      targetPaid: 100_001n,
      enrolled: 98_993n,
      commission: 1_008n,
      sourceCommission: 1_008n,
    });
  });

  it("credits the same after a follower was far behind", async () => {
    const chain = await announceChain(world, "ETH");
    const wallet = await arrangeWallet(world);
    const deposit = await arrangeDeposit(world, wallet);
    const paidAt = world.clock.now();
    world.clock.advance(86_400);
    await chain.append([payment({ deposit, amount: "1" })], { time: paidAt });
    await chain.append([payment({ deposit, amount: "2" })], { time: paidAt });
    await chain.grow(2);
    expect(await readBalance(world, wallet)).toMatchObject({ available: ether("3") });
    expect((await readTransfers(world, deposit))[0]!.firstSeenAt).toBe(paidAt);
  });

  it("records every event in the feed without a callback URL", async () => {
    const chain = await announceChain(world, "ETH");
    const deposit = await arrangeDeposit(world, await arrangeWallet(world), { callbackUrl: null });
    await chain.append([payment({ deposit, amount: "1" })]);
    await chain.grow(2);
    expect(await readEvents(world, deposit)).toEqual(["confirmed (feed)"]);
  });

  it("sends the new state of deposit, currency and transfer in a callback, fully linked", async () => {
    const chain = await announceChain(world, "ETH");
    const deposit = await arrangeDeposit(world, await arrangeWallet(world));
    await chain.append([payment({ deposit, amount: "1.25", txid: "0xabc" })]);
    await chain.grow(2);
    const [row] = await database.sql<{ payload: unknown }>(
      "select payload from event where object_id = $1",
      [deposit.id],
    );
    const [transfer] = await readTransfers(world, deposit);
    expect(row!.payload).toMatchObject({
      data: {
        type: "deposit",
        id: deposit.id,
        attributes: {
          address: deposit.address,
          tracking_id: null,
          target_paid: "1.250000000000000000",
          destination: { address_type: null, address: deposit.address },
        },
        relationships: {
          currency: { data: { type: "currency", id: eth } },
          wallet: { data: { type: "wallet", id: deposit.walletId } },
          transfer: { data: { type: "transfer", id: transfer!.id } },
        },
      },
      included: [
        { type: "currency", id: eth, attributes: { iso: 1002, alpha: "ETH", exp: 18 } },
        {
          type: "transfer",
          id: transfer!.id,
          attributes: {
            op_id: Number(deposit.id),
            op_type: 1,
            amount: "1.250000000000000000",
            amount_cleared: "1.250000000000000000",
            commission: "0.000000000000000000",
            txid: "0xabc",
            status: 2,
            confirmations: 3,
            risk: null,
            risk_status: 4,
            user_message: null,
          },
          relationships: { currency: { data: { type: "currency", id: eth } } },
        },
      ],
    });
  });
});
