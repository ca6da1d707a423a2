/**
 * What attackers can put on Monero's chain and its own wallet cannot make: blocks of a simulated node, read by the adapter and followed
 * into a real database.
 */
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  defaultFollowerSettings,
  type FollowerContext,
} from "../../src/chains/follow/follower-session.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { formatTimestamp } from "../../src/platform/kernel/timestamp.ts";
import { type CraftedMonerod, startCraftedMonerod } from "../support/crafted-monerod.ts";
import { useDatabase } from "../support/database.ts";
import { hold, stepUntilIdle } from "../support/followed-chain.ts";
import { openMoneroAdapter, type TestMoneroAdapter } from "../support/monero-adapter.ts";
import { buildFirstVersion, readFirstVersionBytes } from "../support/monero-builder.ts";
import {
  createRecordingTables,
  issueAddress,
  recordingSink,
  seenTransfers,
} from "../support/recording-sink.ts";
import addresses from "../vectors/monero-addresses.json" with { type: "json" };
import recorded from "../vectors/monero-first-version.json" with { type: "json" };

const database = useDatabase();
const { db } = database;
beforeAll(() => createRecordingTables(database));

let chains = 0;
let node: CraftedMonerod;
let ours: TestMoneroAdapter;
let context: FollowerContext;
let address = "";

beforeEach(async () => {
  chains += 1;
  node = await startCraftedMonerod();
  ours = openMoneroAdapter(node.url);
  const chain = `XMR${chains}`;
  const adapter = { ...ours.adapter, chain, keyspace: chain };
  context = {
    db,
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
    adapter,
    sink: recordingSink,
    ownTxids: null,
    supplyOf: () => null,
    holder: "first",
    startHeight: 1,
    settings: defaultFollowerSettings,
    onProgress: () => undefined,
  };
  await issueAddress(db, adapter, 0, formatTimestamp(systemClock.now()));
  address = adapter.addressing.depositAt(0, null).address;
  node.mine();
});
afterEach(async () => {
  await ours.close();
  await node.close();
});

async function follow(): Promise<void> {
  const session = await hold(context);
  try {
    await stepUntilIdle(context, session);
  } finally {
    await session.end();
  }
}

/** Payments that are in blocks or pending, in order. */
async function payments(): Promise<readonly (readonly [string, string])[]> {
  const seen = await seenTransfers(database, context.adapter.chain);
  return seen
    .filter(({ state }) => state !== "cancelled")
    .map(({ state, txid }) => [txid, state] as const);
}

const other = addresses.valid[1]!.address;
const secret = 4_242_424_242n;
const keyImage = (digit: string): string => digit.repeat(64);

describe("a second output with a one-time key that was received before", () => {
  it("does not count, whenever it comes, and counts in place of the first after a reorg", async () => {
    const outputs = [{ address, units: 5_000n }];
    const first = node.send({ secret, outputs, keyImage: keyImage("1") });
    node.mine(first.txid);
    await follow();
    expect(await payments()).toEqual([[first.txid, "included"]]);

    // The same key of the transaction again, with another amount.
    const second = node.send({
      secret,
      outputs: [{ address, units: 900_000n }],
      keyImage: keyImage("2"),
    });
    expect(second.oneTimeKeys).toEqual(first.oneTimeKeys);
    await follow();
    expect(await payments()).toEqual([[first.txid, "included"]]);
    for (let count = 0; count < 30; count += 1) node.mine();
    node.mine(second.txid);
    await follow();
    expect(await payments()).toEqual([[first.txid, "included"]]);

    node.pop(32);
    const third = node.send({ secret, outputs, keyImage: keyImage("3") });
    node.mine(third.txid);
    for (let count = 0; count < 32; count += 1) node.mine();
    await follow();
    // The first one may come back; if it does, it does not count.
    expect(await payments()).toEqual(
      expect.arrayContaining([
        [third.txid, "included"],
        [first.txid, "pending"],
      ]),
    );
  });

  it("is canceled if it was pending when the other one got into a block", async () => {
    const outputs = [{ address, units: 5_000n }];
    const one = node.send({ secret, outputs, keyImage: keyImage("1") });
    await follow();
    expect(await payments()).toEqual([[one.txid, "pending"]]);
    const other = node.send({ secret, outputs, keyImage: keyImage("2") });
    node.mine(other.txid);
    node.mine(one.txid);
    await follow();
    expect(await payments()).toEqual([[other.txid, "included"]]);
  });

  it("does not count within one transaction either", async () => {
    // Each output has a key of its own transaction key and position, so only the same position repeats.
    const outputs = [{ address, units: 5_000n }];
    const doubled = node.send({ secret, outputs, keyTimes: 2 });
    node.mine(doubled.txid);
    await follow();
    expect(await payments()).toEqual([[doubled.txid, "included"]]);
  });
});

describe("an amount that nobody can spend", () => {
  it("does not count: the output claims more than its commitment holds", async () => {
    const forged = node.send({ secret, outputs: [{ address, units: 1n, claimed: 10n ** 15n }] });
    await follow();
    node.mine(forged.txid);
    await follow();
    expect(await payments()).toEqual([]);
  });

  it("has the node refused: a block pays its miner more than a block may create", async () => {
    const reward = { secret, outputs: [{ address, units: 35_184_372_088_832n }] };
    const { hash } = node.mine(null, reward);
    const { reader } = ours.adapter;
    const { signal } = new AbortController();
    const header = (await reader.headerByHash(hash, signal))!;
    await expect(reader.readBlock(header, signal)).rejects.toThrow(/pays its miner/);
    await expect(follow()).rejects.toThrow(/refused|pays its miner/);
    expect(await payments()).toEqual([]);
  });

  it("is a reward from 60 blocks later on", async () => {
    const { hash } = node.mine(null, { secret, outputs: [{ address, units: 600_000_000_000n }] });
    const { addressing, reader } = ours.adapter;
    const { signal } = new AbortController();
    const header = (await reader.headerByHash(hash, signal))!;
    const { transfers } = (await reader.readBlock(header, signal))!;
    const to = addressing.watchKey(addressing.depositAt(0, null));
    expect(transfers.filter((transfer) => transfer.to === to)).toMatchObject([
      { asset: { amount: { units: 600_000_000_000n } }, spendableFromHeight: header.height + 60 },
    ]);
  });
});

describe("a locked output", () => {
  it("is no payment, neither pending nor in a block", async () => {
    for (const unlockTime of [1n, 1_234n, 1_790_003_600n, 2n ** 64n - 1n]) {
      const { txid } = node.send({ secret, outputs: [{ address, units: 5n }], unlockTime });
      await follow();
      node.mine(txid);
      await follow();
      expect(await payments()).toEqual([]);
    }
    const { txid } = node.send({ secret, outputs: [{ address, units: 5n }] });
    node.mine(txid);
    await follow();
    expect(await payments()).toEqual([[txid, "included"]]);
  });
});

describe("a transaction of version 1", () => {
  const { signal } = new AbortController();
  const [first] = recorded.transactions;
  const real = readFirstVersionBytes(Buffer.from(first!.hex, "hex"), first!.keyImages.length);

  it("is read from the main network's bytes, in a block and before", async () => {
    node.add(real);
    await follow();
    const { reader } = ours.adapter;
    const pending = await reader.pendingSpends!((source) => source === first!.keyImages[3], signal);
    const expected = {
      txid: first!.txid,
      claims: first!.keyImages,
      feeUnits: BigInt(first!.feeUnits),
    };
    expect(pending).toMatchObject([expected]);
    const { hash } = node.mine(real.txid);
    await follow();
    const header = (await reader.headerByHash(hash, signal))!;
    expect((await reader.readBlock(header, signal))!.spends.sources()).toEqual(first!.keyImages);
    const spends = (await reader.readSpends!(header, signal))!;
    expect(spends.transactionsFrom(new Set([first!.keyImages[0]!]))).toMatchObject([expected]);
  });

  it("is a payment, whose fee its block's miner may have", async () => {
    const built = buildFirstVersion({ secret, outputs: [{ address, units: 6_000_000n }] });
    node.add(built);
    await follow();
    expect(await payments()).toEqual([[built.txid, "pending"]]);
    const most = 35_184_372_088_831n;
    node.mine(built.txid, { secret, outputs: [{ address: other, units: most + 30_000_000n }] });
    await follow();
    expect(await payments()).toEqual([[built.txid, "included"]]);
  });

  it("is not read from other signatures than its own, or without them", async () => {
    const { prunableHex } = real;
    for (const other of [
      prunableHex.replace(/.$/, "f"),
      prunableHex.slice(2),
      `${prunableHex}00`,
    ]) {
      node.add({ ...real, prunableHex: other });
      const pending = ours.adapter.reader.pendingSpends!(() => true, signal);
      await expect(pending).rejects.toThrow(/other bytes|end early|bytes behind/);
    }
  });
});
