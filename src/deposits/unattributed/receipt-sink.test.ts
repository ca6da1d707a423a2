import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { expectBooksToBalance, ledgerSums } from "../../../test/support/check-books.ts";
import { useDatabase } from "../../../test/support/database.ts";
import {
  arrangeWallet,
  depositWorld,
  readTransfers,
  xrp,
} from "../../../test/support/deposit-world.ts";
import { payer, taggedAccount } from "../../../test/support/tagged-account.ts";

/*
 * What reaches a shared account under no deposit's tag, from the chain into the ledger: a simulated chain, the real follower,
 * sinks and database. In every state the ledger equals the chain.
 */

const database = useDatabase();
const { sql } = database;
const world = depositWorld(database);
const chain = taggedAccount(world);
beforeAll(chain.open);
afterEach(async () => {
  expect(await chain.difference()).toBe(0n);
  await expectBooksToBalance(database);
});

type Row = {
  readonly tag: string | null;
  readonly units: bigint;
  readonly state: string;
  readonly from_addresses: readonly string[];
  readonly is_in_block: boolean;
};

const receiptOf = async (txid: string): Promise<readonly Row[]> =>
  sql<Row>(
    `select tag, units, state, from_addresses, block_height is not null as is_in_block from unattributed where txid = $1`,
    [txid],
  );

async function unattributed(): Promise<bigint> {
  const [sum] = await ledgerSums(database, "unattributed/%");
  return -(sum?.units ?? 0n);
}

describe("a transfer to a shared account", () => {
  it("is nobody's money without a tag, under an unknown one, and under one that is no number", async () => {
    const unused = chain.addressing.depositAt(150, null).tag;
    for (const tag of [null, "7", "0", unused, "forgot it", "1000000010?5", ""]) {
      const before = await unattributed();
      const txid = chain.pay(tag, 500_000n);
      await chain.mine();
      expect(await receiptOf(txid)).toEqual([
        { tag, units: 500_000n, state: "waiting", from_addresses: [payer], is_in_block: true },
      ]);
      expect(await unattributed()).toBe(before + 500_000n);
    }
    expect(await ledgerSums(database, "equity/%")).toEqual([]);
  });

  it("pays no deposit with one wrong digit or two exchanged digits in its tag", async () => {
    const wallet = await arrangeWallet(world, { currency: xrp });
    const deposit = await chain.deposit(wallet);
    const tag = deposit.tag ?? "";
    const typed = [
      `${tag.slice(0, 8)}${(Number(tag[8]) + 1) % 10}${tag[9]}`,
      `${tag[1]}${tag[0]}${tag.slice(2)}`,
      tag.slice(0, 9),
      `${tag}0`,
    ];
    for (const mistyped of typed.filter((text) => text !== tag)) {
      const txid = chain.pay(mistyped, 200_000n);
      await chain.mine();
      expect(await receiptOf(txid)).toMatchObject([{ tag: mistyped, state: "waiting" }]);
    }
    expect(await readTransfers(world, deposit)).toEqual([]);
  });

  it("pays the deposit whose tag it names, and leaves no receipt", async () => {
    const wallet = await arrangeWallet(world, { currency: xrp });
    const deposit = await chain.deposit(wallet);
    const txid = chain.pay(deposit.tag, 300_000n);
    await chain.mine();
    expect(await receiptOf(txid)).toEqual([]);
    expect(await readTransfers(world, deposit)).toMatchObject([{ units: 300_000n, txid }]);
  });

  it("is the operator's own money under the operator's tag", async () => {
    const txid = chain.pay(chain.addressing.ownFunds.tag, 900_000n);
    await chain.mine();
    expect(await receiptOf(txid)).toEqual([]);
    expect(await ledgerSums(database, `equity/${xrp}`)).toMatchObject([{ units: -900_000n }]);
  });

  it("is booked as dust below the currency's minimum, and not at all in an unlisted token", async () => {
    const small = chain.pay(null, 5n);
    const token = chain.node.submit(
      [{ to: chain.account, units: 7n, asset: { locator: "rIssuer" } }],
      { from: [payer] },
    );
    await chain.mine();
    expect(await receiptOf(small)).toMatchObject([{ state: "dust", units: 5n }]);
    expect(await receiptOf(token)).toEqual([]);
    expect(await ledgerSums(database, "dust/%")).toMatchObject([{ units: -5n }]);
  });

  it("is one receipt per output, however often its block is read", async () => {
    const to = { ...chain.account, tag: null };
    const txid = chain.node.submit(
      [
        { to, units: 100_000n },
        { to, units: 100_001n },
      ],
      { from: [payer] },
    );
    await chain.mine();
    expect(await receiptOf(txid)).toHaveLength(2);
    const before = await unattributed();
    await chain.follow();
    expect(await unattributed()).toBe(before);
  });

  it("is taken back by a reorg, and booked again when another block contains it", async () => {
    const txid = chain.pay(null, 400_000n);
    await chain.mine(2);
    const before = await unattributed();
    chain.node.reorg(2, { mineAgain: false });
    await chain.follow();
    expect(await receiptOf(txid)).toMatchObject([{ state: "waiting", is_in_block: false }]);
    expect(await unattributed()).toBe(before - 400_000n);
    expect(await chain.difference()).toBe(0n);
    await chain.mine();
    expect(await receiptOf(txid)).toMatchObject([{ state: "waiting", is_in_block: true }]);
    expect(await unattributed()).toBe(before);
  });

  it("stays a receipt when its tag becomes a deposit's before a reorg brings it back", async () => {
    const wallet = await arrangeWallet(world, { currency: xrp });
    const [next] = await sql<{ tag: string }>(
      "select tag from address where deposit_id is null order by key_index limit 1",
    );
    const txid = chain.pay(next?.tag ?? "", 600_000n);
    await chain.mine();
    const deposit = await chain.deposit(wallet);
    expect(deposit.tag).toBe(next?.tag);
    chain.node.reorg(1, { mineAgain: false });
    await chain.follow();
    await chain.mine();
    expect(await receiptOf(txid)).toMatchObject([{ state: "waiting", is_in_block: true }]);
    expect(await readTransfers(world, deposit)).toEqual([]);
  });
});
