import { afterEach, describe, expect, it } from "vitest";
import { decideReported } from "../../src/deposits/payments/decide-reported.ts";
import { expectBooksToBalance, ledgerSums } from "../support/check-books.ts";
import { useDatabase } from "../support/database.ts";
import {
  announceChain,
  arrangeDeposit,
  arrangeWallet,
  btc,
  depositWorld,
  eth,
  payment,
  readBalance,
  readDeposit,
  readEvents,
  readTransfers,
  units,
} from "../support/deposit-world.ts";

/*
 * Chains that change: orphaned blocks, replaced and conflicting transactions. Bitcoin needs 2 confirmations here, ether 3. After
 * each test the books are compared with the transfers.
 */

const database = useDatabase();
const world = depositWorld(database);
afterEach(() => expectBooksToBalance(database));

const statuses = async (deposit: Parameters<typeof readTransfers>[1]) =>
  (await readTransfers(world, deposit)).map(
    ({ status, disposition }) => `${status} ${disposition}`,
  );

describe("reorgs of deposits", () => {
  it("reverse everything in an orphaned block, and credit the payment once when it is mined again", async () => {
    const chain = await announceChain(world, "BTC");
    const wallet = await arrangeWallet(world, { currency: btc });
    const deposit = await arrangeDeposit(world, wallet);
    const hit = payment({ deposit, amount: "0.5" });
    await chain.append([hit]);
    await chain.grow(1);
    expect(await readBalance(world, wallet)).toMatchObject({ available: 50_000_000n });

    await chain.orphan();
    expect(await statuses(deposit)).toEqual(["2 credited"]);
    await chain.orphan();
    expect(await statuses(deposit)).toEqual(["1 pending"]);
    expect(await readBalance(world, wallet)).toMatchObject({ available: 0n, pending: 50_000_000n });
    expect((await readDeposit(world, deposit)).sums).toMatchObject({
      targetPaid: 0n,
      targetPaidPending: 50_000_000n,
      enrolled: 0n,
    });
    expect(await readEvents(world, deposit)).toEqual(["confirmed", "reversed"]);

    await chain.append();
    await chain.append([hit]);
    expect(await statuses(deposit)).toEqual(["1 pending"]);
    await chain.grow(1);
    expect(await statuses(deposit)).toEqual(["2 credited"]);
    expect(await readBalance(world, wallet)).toMatchObject({ available: 50_000_000n, pending: 0n });
    expect(await readEvents(world, deposit)).toEqual(["confirmed", "reversed", "confirmed"]);
  });

  it("recognize a payment that moved to another block by its hash, although another transaction has its old place", async () => {
    const chain = await announceChain(world, "ETH");
    const wallet = await arrangeWallet(world);
    const deposit = await arrangeDeposit(world, wallet);
    const [first, second] = [payment({ deposit, amount: "1" }), payment({ deposit, amount: "2" })];
    await chain.append([first]);
    await chain.orphan();
    await chain.append([second]);
    await chain.append([first]);
    await chain.grow(1);
    expect(await statuses(deposit)).toEqual(["1 pending", "2 credited"]);
    await chain.grow(1);
    expect(await readBalance(world, wallet)).toMatchObject({ available: units("3", eth) });
  });

  it("cancel the payment permanently when a conflicting transaction confirms, and report it", async () => {
    const chain = await announceChain(world, "ETH");
    const wallet = await arrangeWallet(world);
    const deposit = await arrangeDeposit(world, wallet, { confirmationsNeeded: 1 });
    await chain.append([payment({ deposit, amount: "1", txid: "0xgone" })]);
    await chain.orphan();
    await chain.append();
    await chain.conflict("0xgone");
    expect(await statuses(deposit)).toEqual(["-3 none"]);
    expect(await readBalance(world, wallet)).toEqual({ available: 0n, pending: 0n, deficit: 0n });
    expect(await readEvents(world, deposit)).toEqual(["confirmed", "reversed", "cancelled"]);
    expect((await readDeposit(world, deposit)).assets).toEqual({});
  });

  it("restore and credit the payment when the conflicting block is orphaned", async () => {
    const chain = await announceChain(world, "ETH");
    const wallet = await arrangeWallet(world);
    const deposit = await arrangeDeposit(world, wallet);
    const hit = payment({ deposit, amount: "1", txid: "0xback" });
    await chain.append([hit]);
    await chain.orphan();
    await chain.append();
    await chain.conflict("0xback");
    await chain.orphan();
    await chain.append([hit]);
    await chain.grow(2);
    expect(await statuses(deposit)).toEqual(["2 credited"]);
    expect(await readBalance(world, wallet)).toMatchObject({ available: units("1", eth) });
  });

  it("do not cancel a payment in a block because of a late response about the mempool", async () => {
    const chain = await announceChain(world, "BTC");
    const wallet = await arrangeWallet(world, { currency: btc });
    const deposit = await arrangeDeposit(world, wallet);
    const hit = payment({ deposit, amount: "1", txid: "racing" });
    await chain.see([hit]);
    const {
      transfers: [outstanding],
    } = await world.sink.pendingTransfers(database.db, "BTC");
    await chain.append([hit]);
    const status = { kind: "conflicted", by: null, height: null } as const;
    await database.db.transaction((tx) =>
      world.sink.transfersDropped(
        tx,
        "BTC",
        [{ transfer: outstanding!, status }],
        world.clock.now(),
      ),
    );
    expect(await statuses(deposit)).toEqual(["1 pending"]);
    expect(await world.sink.pendingTransfers(database.db, "BTC")).toEqual({
      transfers: [],
      isComplete: true,
    });
  });

  it("say that a locked deposit may have another pending payment", async () => {
    const chain = await announceChain(world, "BTC");
    const deposit = await arrangeDeposit(world, await arrangeWallet(world, { currency: btc }));
    await chain.append([payment({ deposit, amount: "1", txid: "orphaned" })]);
    const locked = Promise.withResolvers<undefined>();
    const done = Promise.withResolvers<undefined>();
    const holder = database.db.transaction(async (tx) => {
      await tx.query({ name: "", text: "select from deposit where id = $1 for update" }, [
        deposit.id,
      ]);
      locked.resolve(undefined);
      await done.promise;
    });
    await locked.promise;
    await chain.orphan();
    const pending = () => world.sink.pendingTransfers(database.db, "BTC");
    expect(await pending()).toEqual({ transfers: [], isComplete: false });
    done.resolve(undefined);
    await holder;
    await decideReported(world.context, new AbortController().signal);
    expect(await pending()).toMatchObject({
      transfers: [{ txid: "orphaned" }],
      isComplete: true,
    });
  });

  it("replace a payment in the mempool, so that only one of the two is ever owed", async () => {
    const chain = await announceChain(world, "BTC");
    const wallet = await arrangeWallet(world, { currency: btc });
    const deposit = await arrangeDeposit(world, wallet);
    const original = payment({ deposit, amount: "1", txid: "a", spends: ["coin:0"] });
    const bumped = payment({ deposit, amount: "0.9", txid: "b", spends: ["coin:0", "coin:1"] });
    await chain.see([original]);
    await chain.see([bumped]);
    expect(await statuses(deposit)).toEqual(["-3 none", "1 pending"]);
    expect(await readBalance(world, wallet)).toMatchObject({ pending: 90_000_000n });
    await chain.append([bumped]);
    await chain.grow(1);
    expect(await readBalance(world, wallet)).toMatchObject({ available: 90_000_000n, pending: 0n });
  });

  it("credit the replaced payment if it is mined after all", async () => {
    const chain = await announceChain(world, "BTC");
    const wallet = await arrangeWallet(world, { currency: btc });
    const deposit = await arrangeDeposit(world, wallet);
    const original = payment({ deposit, amount: "1", txid: "c", spends: ["coin:2"] });
    const bumped = payment({ deposit, amount: "0.9", txid: "d", spends: ["coin:2"] });
    await chain.see([original]);
    await chain.see([bumped]);
    await chain.append([original]);
    expect(await statuses(deposit)).toEqual(["1 pending", "-3 none"]);
    await chain.grow(1);
    expect(await readBalance(world, wallet)).toMatchObject({
      available: 100_000_000n,
      pending: 0n,
    });
  });

  it("cancel a payment whose replacement pays another deposit", async () => {
    const chain = await announceChain(world, "BTC");
    const wallet = await arrangeWallet(world, { currency: btc });
    const other = await arrangeWallet(world, { currency: btc });
    const [robbed, paid] = [
      await arrangeDeposit(world, wallet),
      await arrangeDeposit(world, other),
    ];
    await chain.see([payment({ deposit: robbed, amount: "1", spends: ["coin:3"] })]);
    await chain.append([payment({ deposit: paid, amount: "1", spends: ["coin:3"] })]);
    await chain.grow(1);
    expect(await statuses(robbed)).toEqual(["-3 none"]);
    expect(await readBalance(world, wallet)).toMatchObject({ available: 0n, pending: 0n });
    expect(await readBalance(world, other)).toMatchObject({ available: 100_000_000n });
  });

  it("replace and orphan several outputs of one transaction together", async () => {
    const chain = await announceChain(world, "BTC");
    const wallet = await arrangeWallet(world, { currency: btc });
    const deposit = await arrangeDeposit(world, wallet);
    const spends = ["coin:4"];
    const both = [0, 1].map((index) =>
      payment({ deposit, amount: "1", txid: "two", index, spends }),
    );
    await chain.see(both);
    await chain.append(both);
    await chain.orphan();
    await chain.append([payment({ deposit, amount: "0.5", spends })]);
    await chain.grow(1);
    expect(await statuses(deposit)).toEqual(["-3 none", "-3 none", "2 credited"]);
    expect(await readBalance(world, wallet)).toMatchObject({ available: 50_000_000n, pending: 0n });
  });

  it("turn money that was spent before its reversal into a deficit of the wallet, which the next payments repay", async () => {
    const chain = await announceChain(world, "ETH");
    const wallet = await arrangeWallet(world);
    const deposit = await arrangeDeposit(world, wallet);
    await chain.append([payment({ deposit, amount: "10", txid: "0xspent" })]);
    await chain.grow(2);
    const spent = units("8", eth);
    await database.sql(
      `with spend as (update wallet_balance set available = available - $2::numeric where wallet_id = $1::bigint)
     insert into posting (account_id, debit, credit, currency, units, cause, created_at)
     values ($3::bigint, 'wallet/' || $1::bigint || '/available', 'chain/1002', '1002', $2::numeric, 'spent:1', '2026-01-01Z')`,
      [wallet.walletId, spent, wallet.accountId],
    );
    for (let block = 0; block < 3; block += 1) await chain.orphan();
    await chain.append();
    await chain.conflict("0xspent");
    expect(await readBalance(world, wallet)).toEqual({
      available: 0n,
      pending: 0n,
      deficit: spent,
    });
    await chain.append([payment({ deposit, amount: "9" })]);
    await chain.grow(2);
    expect(await readBalance(world, wallet)).toEqual({
      available: units("1", eth),
      pending: 0n,
      deficit: 0n,
    });
  });

  it("leave every account of the ledger unchanged once everything is reversed", async () => {
    const chain = await announceChain(world, "BTC");
    await chain.grow(3);
    const before = await ledgerSums(database);
    const wallet = await arrangeWallet(world, { currency: btc });
    const deposit = await arrangeDeposit(world, wallet, {
      confirmationsNeeded: 1,
      commission: { ratePpm: 5_000, fixedUnits: 0n, minimumUnits: 0n },
    });
    await chain.append([payment({ deposit, amount: "1", txid: "x" })]);
    await chain.append([payment({ deposit, amount: "0.000001", txid: "y" })]);
    await chain.append([payment({ deposit, amount: "2", txid: "z" })]);
    await chain.grow(1);
    for (let block = 0; block < 4; block += 1) await chain.orphan();
    for (const txid of ["x", "y", "z"]) await chain.conflict(txid);
    expect(await ledgerSums(database)).toEqual(before);
    expect(await statuses(deposit)).toEqual(["-3 none", "-3 none", "-3 none"]);
  });
});
