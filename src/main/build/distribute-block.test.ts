import { describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import {
  announceChain,
  arrangeDeposit,
  arrangeWallet,
  btc,
  eth,
  payment,
  readTransfers,
  usdt,
} from "../../../test/support/deposit-world.ts";
import {
  arrival,
  type TreasuryWorld,
  treasuryWorld,
} from "../../../test/support/treasury-world.ts";
import { noOwnActivity, type OwnArrival } from "../../chains/block-sink.ts";
import { changeAhead, ensureTreasury } from "../../treasury/holdings/ensure-treasury.ts";

/* Our own money in blocks on a UTXO chain (bitcoin) and an account chain (ether), through reorgs and repeated blocks. */

const database = useDatabase();
const { sql } = database;

const own = (...arrivals: readonly OwnArrival[]) => ({ ...noOwnActivity, arrivals });
const mined = (
  txid: string,
  arrivals: readonly OwnArrival[] = [],
  feeUnits: bigint | null = null,
) => ({
  ...noOwnActivity,
  arrivals,
  receipts: [{ txid, hasSucceeded: true, feeUnits }],
});

type CoinRow = {
  readonly units: bigint;
  readonly branch: number;
  readonly isThere: boolean;
  readonly isSpent: boolean;
};

const coinOf = async (outpoint: string): Promise<CoinRow | undefined> =>
  (
    await sql<CoinRow>(
      `select units, branch, block_height is not null as "isThere", spent_height is not null as "isSpent"
       from coin where outpoint = $1`,
      [outpoint],
    )
  )[0];

const causes = (txid: string) =>
  sql<{ debit: string; credit: string; units: bigint }>(
    "select debit, credit, units from posting where cause like 'arrival:%:' || $1 || ':%' order by id",
    [txid],
  );

describe("a transfer to our own address", () => {
  it("is booked as the operator's equity, leaves with its block, and returns", async () => {
    const world = treasuryWorld(database);
    const chain = await announceChain(world, "BTC");
    const before = await world.booked(btc);
    const float = own(
      arrival(world.bitcoin, { purpose: "change", txid: "float", units: 70n, currency: btc }),
    );
    await chain.append([], { own: float });
    await chain.repeat([], float);
    expect(await world.booked(btc)).toBe(before + 70n);
    expect(await causes("float")).toEqual([
      { debit: `chain/${btc}`, credit: `equity/${btc}`, units: 70n },
    ]);
    const coin = { units: 70n, branch: 1 };
    expect(await coinOf("float:0")).toEqual({ ...coin, isThere: true, isSpent: false });
    await chain.orphan();
    expect(await world.booked(btc)).toBe(before);
    expect(await coinOf("float:0")).toEqual({ ...coin, isThere: false, isSpent: false });
    await chain.grow(1);
    await chain.append([], { own: float });
    expect(await world.booked(btc)).toBe(before + 70n);
    expect(await coinOf("float:0")).toEqual({ ...coin, isThere: true, isSpent: false });
  });

  it("is not booked for an unlisted token", async () => {
    const world = treasuryWorld(database);
    const chain = await announceChain(world, "ETH");
    const hot = arrival(world.ethereum, { purpose: "hot", txid: "odd", units: 1n, currency: eth });
    const unlisted = { kind: "unlisted", locator: "0xodd", units: 5n } as const;
    await chain.append([], {
      own: own({ ...hot, transfer: { ...hot.transfer, asset: unlisted } }),
    });
    expect(await causes("odd")).toEqual([]);
  });

  it("marks an address that was never issued as issued, and watches the next ones", async () => {
    const world = treasuryWorld(database);
    const { clock, bitcoin } = world;
    await ensureTreasury({ db: database.db, clock }, [bitcoin]);
    const chain = await announceChain(world, "BTC");
    await chain.append([], {
      own: own(
        arrival(bitcoin, {
          purpose: "change",
          keyIndex: 40,
          txid: "forgotten",
          units: 5n,
          currency: btc,
        }),
      ),
    });
    const [reach] = await sql<{ issued: number; watched: number }>(
      `select (max(key_index) filter (where issued_at is not null))::int as issued, max(key_index)::int as watched
       from treasury_address where keyspace = $1`,
      [bitcoin.keyspace],
    );
    expect(reach).toEqual({ issued: 40, watched: 40 + changeAhead });
  });
});

describe("our own transaction on a UTXO chain", () => {
  it("removes only its fee from the books, and returns it with a reorg", async () => {
    const world = treasuryWorld(database);
    const chain = await announceChain(world, "BTC");
    const deposit = await arrangeDeposit(world, await arrangeWallet(world, { currency: btc }));
    await chain.append([payment({ deposit, amount: "0.00001", txid: "paid-in" })]);
    expect(await coinOf("paid-in:0")).toMatchObject({ units: 1_000n, branch: 0, isSpent: false });
    await chain.grow(2);
    const before = await world.booked(btc);
    await world.spend({
      chain: "BTC",
      kind: "consolidation",
      txid: "gather",
      claims: ["paid-in:0"],
      feeUnits: 40n,
    });
    const change = arrival(world.bitcoin, {
      purpose: "change",
      txid: "gather",
      units: 960n,
      currency: btc,
    });
    await chain.append([], { own: mined("gather", [change]) });
    await chain.repeat([], mined("gather", [change]));
    expect(await world.booked(btc)).toBe(before - 40n);
    expect(await causes("gather")).toEqual([]);
    expect(await coinOf("paid-in:0")).toMatchObject({ isSpent: true });
    expect(await coinOf("gather:0")).toMatchObject({ units: 960n, isThere: true });
    await chain.orphan();
    expect(await world.booked(btc)).toBe(before);
    expect(await coinOf("paid-in:0")).toMatchObject({ isSpent: false });
    expect(await coinOf("gather:0")).toMatchObject({ isThere: false });
    await chain.append([], { own: mined("gather", [change]) });
    expect(await world.booked(btc)).toBe(before - 40n);
    expect(await coinOf("paid-in:0")).toMatchObject({ isSpent: true });
  });

  it("counts as a payment to a deposit that it pays, and its change as change", async () => {
    const world = treasuryWorld(database);
    const chain = await announceChain(world, "BTC");
    const deposit = await arrangeDeposit(world, await arrangeWallet(world, { currency: btc }));
    await world.spend({ chain: "BTC", kind: "payout", txid: "to-us", claims: ["some:0"] });
    const change = arrival(world.bitcoin, {
      purpose: "change",
      txid: "to-us",
      index: 1,
      units: 7n,
      currency: btc,
    });
    await chain.append([payment({ deposit, amount: "0.00002", txid: "to-us" })], {
      own: mined("to-us", [change]),
    });
    expect(await readTransfers(world, deposit)).toMatchObject([{ txid: "to-us", units: 2_000n }]);
    expect(await causes("to-us")).toEqual([]);
  });

  it("reverses the booking of its change if it seemed foreign before", async () => {
    const world = treasuryWorld(database);
    const chain = await announceChain(world, "BTC");
    const before = await world.booked(btc);
    const change = arrival(world.bitcoin, {
      purpose: "change",
      txid: "twin",
      units: 30n,
      currency: btc,
    });
    await chain.append([], { own: own(change) });
    expect(await world.booked(btc)).toBe(before + 30n);
    await world.spend({ chain: "BTC", kind: "payout", txid: "twin", claims: ["other:0"] });
    await chain.append([], { own: mined("twin") });
    expect(await world.booked(btc)).toBe(before);
    await chain.orphan();
    await chain.orphan();
    expect(await world.booked(btc)).toBe(before);
  });
});

describe("our own transaction on an account chain", () => {
  const gasIn = (world: TreasuryWorld) =>
    own(arrival(world.ethereum, { purpose: "gas", txid: "refill", units: 9n, currency: eth }));

  it("is not a payment if it tops up a deposit address, pending or in a block", async () => {
    const world = treasuryWorld(database);
    const chain = await announceChain(world, "ETH");
    const deposit = await arrangeDeposit(world, await arrangeWallet(world));
    await world.spend({ chain: "ETH", kind: "top_up", txid: "top-up", claims: ["gas#1"] });
    const topUp = payment({ deposit, amount: "0.001", txid: "top-up" });
    const real = payment({ deposit, amount: "1", txid: "real" });
    await chain.see([topUp, real]);
    await chain.append([topUp, real], { own: mined("top-up", [], 5n) });
    expect(await readTransfers(world, deposit)).toMatchObject([{ txid: "real" }]);
    await chain.orphan();
    expect(await readTransfers(world, deposit)).toMatchObject([{ txid: "real" }]);
  });

  it("brings no new money as a sweep, but does as a payout to our own gas account", async () => {
    const world = treasuryWorld(database);
    const chain = await announceChain(world, "ETH");
    await world.spend({ chain: "ETH", kind: "sweep", txid: "sweep", claims: ["gas#2"] });
    await world.spend({ chain: "ETH", kind: "payout", txid: "refill", claims: ["hot#1"] });
    const swept = arrival(world.ethereum, {
      purpose: "hot",
      txid: "sweep",
      units: 8n,
      currency: usdt,
    });
    const before = await world.booked(usdt);
    await chain.append([], { own: own(swept, ...gasIn(world).arrivals) });
    expect(await world.booked(usdt)).toBe(before);
    expect(await causes("sweep")).toEqual([]);
    expect(await causes("refill")).toMatchObject([{ credit: `equity/${eth}`, units: 9n }]);
  });
});

describe("holdings", () => {
  const holdingOf = async (key: string) =>
    (
      await sql<{ currency: string; units: bigint }>(
        "select currency, units from holding where watch_key = $1 order by currency",
        [key],
      )
    ).map(({ currency, units }) => [currency, units]);

  it("add up the payments to an address once per block, and subtract them with it", async () => {
    const world = treasuryWorld(database);
    const chain = await announceChain(world, "ETH");
    const deposit = await arrangeDeposit(world, await arrangeWallet(world));
    const key = deposit.address?.toLowerCase() ?? "";
    const coin = (amount: string, txid: string) => payment({ deposit, amount, txid });
    const hits = [
      coin("0.000000000000000003", "h1"),
      coin("0.000000000000000004", "h2"),
      payment({ deposit, amount: "0.000005", txid: "h3", currency: usdt }),
    ];
    await chain.append(hits);
    await chain.repeat(hits);
    expect(await holdingOf(key)).toEqual([
      [eth, 7n],
      [usdt, 5n],
    ]);
    await chain.append([coin("0.000000000000000010", "h4")]);
    expect(await holdingOf(key)).toEqual([
      [eth, 17n],
      [usdt, 5n],
    ]);
    await chain.orphan();
    expect(await holdingOf(key)).toEqual([
      [eth, 7n],
      [usdt, 5n],
    ]);
    await chain.append([coin("0.000000000000000020", "h5")]);
    expect(await holdingOf(key)).toEqual([
      [eth, 27n],
      [usdt, 5n],
    ]);
  });
});
