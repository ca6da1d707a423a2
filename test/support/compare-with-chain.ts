import { expect } from "vitest";
import { readCursor } from "../../src/chains/follow/follower.store.ts";
import type { TestDatabase } from "./database.ts";
import { seenBlocks, seenTransfers } from "./recording-sink.ts";
import { scannedRanges } from "./scanned-ranges.ts";
import type { SimulatedChain } from "./simulated-chain.ts";

/**
 * Compares the recording sink with the node's best chain and mempool for the addresses in use (given by number), once the
 * follower has reached the tip: nothing missing, nothing twice, nothing else.
 */
export async function assertSeenAsOnChain(
  database: TestDatabase,
  node: SimulatedChain,
  issued: ReadonlySet<number>,
): Promise<void> {
  const { chain, addressing } = node.adapter;
  const watched = new Set([...issued].map((index) => addressing.depositAt(index, null).address));
  const cursor = await readCursor(database.db, chain);
  expect([cursor?.height, cursor?.hash]).toEqual([node.tip().height, node.tip().hash]);

  const blocks = await seenBlocks(database, chain);
  const from = Number(blocks[0]?.height ?? 0);
  const best = node.blocks().slice(from);
  expect(blocks.map((block) => block.hash)).toEqual(best.map((block) => block.ref.hash));

  const seen = await seenTransfers(database, chain);
  const included = seen.filter((transfer) => transfer.state === "included");
  const expected = best.flatMap(({ ref, transactions }) =>
    transactions.flatMap(({ txid, outputs, fails }) =>
      outputs.flatMap((output, index) =>
        watched.has(output.to.address) && !fails
          ? [`${txid}:${index} at ${ref.height} in ${ref.hash}`]
          : [],
      ),
    ),
  );
  expect(
    included
      .map(
        ({ txid, index, height, hash }) => `${txid}:${index} at ${height ?? ""} in ${hash ?? ""}`,
      )
      .toSorted(),
  ).toEqual(expected.toSorted());

  await assertOwnSeen(database, node, from);

  const waiting = node
    .waiting()
    .flatMap(({ txid, outputs, fails }) =>
      outputs.flatMap((output, index) =>
        watched.has(output.to.address) && !fails ? [`${txid}:${index}`] : [],
      ),
    );
  const pending = new Set(
    seen.filter(({ state }) => state === "pending").map(({ txid, index }) => `${txid}:${index}`),
  );
  expect(waiting.filter((key) => !pending.has(key))).toEqual([]);

  const spent = new Set(
    best.flatMap((block) => block.transactions.flatMap((transaction) => transaction.spends)),
  );
  const rows = await database.sql<{ spends: string[] }>(
    "select spends from seen_transfer where chain = $1 and state = 'pending'",
    [chain],
  );
  expect(rows.filter(({ spends }) => spends.some((spend) => spent.has(spend)))).toEqual([]);

  const ranges = await scannedRanges(database.db, chain);
  expect(ranges.some((range) => range.from <= from && range.to >= node.tip().height)).toBe(true);
  for (let index = 1; index < ranges.length; index += 1) {
    expect(ranges[index]!.from).toBeGreaterThan(ranges[index - 1]!.to + 1);
  }
}

/** The same for our own transactions and arrivals at our own addresses. */
async function assertOwnSeen(
  { sql }: TestDatabase,
  node: SimulatedChain,
  from: number,
): Promise<void> {
  const { chain, keyspace } = node.adapter;
  const stored = await sql<{ txid: string }>("select txid from own_transaction where chain = $1", [
    chain,
  ]);
  const own = new Set(stored.map(({ txid }) => txid));
  const addresses = await sql<{ address: string }>(
    "select address from treasury_address where keyspace = $1",
    [keyspace],
  );
  const ours = new Set(addresses.map(({ address }) => address));
  const best = node
    .blocks()
    .slice(from)
    .flatMap(({ ref, transactions }) => transactions.map((transaction) => ({ ref, transaction })));

  const mined = await sql<{ seen: string }>(
    "select txid || ' ' || has_succeeded || ' in ' || hash as seen from seen_mined where chain = $1",
    [chain],
  );
  expect(mined.map(({ seen }) => seen).toSorted()).toEqual(
    best
      .filter(({ transaction }) => own.has(transaction.txid))
      .map(({ ref, transaction }) => `${transaction.txid} ${!transaction.fails} in ${ref.hash}`)
      .toSorted(),
  );

  const arrivals = await sql<{ seen: string }>(
    "select txid || ':' || output_index || ' in ' || hash as seen from seen_arrival where chain = $1",
    [chain],
  );
  expect(arrivals.map(({ seen }) => seen).toSorted()).toEqual(
    best
      .flatMap(({ ref, transaction: { txid, fails, outputs } }) =>
        outputs.flatMap(({ to }, index) =>
          !fails && ours.has(to.address) ? [`${txid}:${index} in ${ref.hash}`] : [],
        ),
      )
      .toSorted(),
  );
}
