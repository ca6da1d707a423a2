import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { arrangeWallet, depositWorld, xrp } from "../../../test/support/deposit-world.ts";
import { taggedAccount } from "../../../test/support/tagged-account.ts";
import type { SecondOpinion } from "../../chains/chain-adapter.ts";
import { findReturnable } from "./return-receipt.ts";
import { vouchForReceipts } from "./vouch-for-receipts.ts";

/* A return waits for a second node above the bound of the second opinion; the test answers for that node. */

const database = useDatabase();
const world = depositWorld(database, { needsOpinion: ({ units }) => units > 1_000_000n });
const chain = taggedAccount(world);
const { signal } = new AbortController();
let accountId = "";
beforeAll(async () => {
  await chain.open();
  accountId = (await arrangeWallet(world, { currency: xrp })).accountId;
});

/** A node that shows these transactions in the same block. */
const showing = (...txids: readonly string[]): SecondOpinion => ({
  chain: "XRP",
  confirmTransfers: (_block, transfers) =>
    Promise.resolve(transfers.filter(({ transfer }) => txids.includes(transfer.key.txid))),
  rememberTransfers: null,
  confirmReceipts: () => Promise.resolve([]),
  recordDoubts: () => Promise.resolve(),
});

const vouch = (secondOpinion: SecondOpinion) =>
  vouchForReceipts({ ...world.context, secondOpinion }, signal);

async function obstacleOf(txid: string): Promise<string | null | undefined> {
  const [row] = await database.sql<{ id: string }>("select id from unattributed where txid = $1", [
    txid,
  ]);
  return (await findReturnable(database.db, world.context, accountId, row?.id ?? ""))?.obstacle;
}

describe("the return of an unattributed payment", () => {
  it("waits until another node shows the payment in the same block", async () => {
    const invented = chain.pay(null, 5_000_000n);
    const real = chain.pay(null, 6_000_000n);
    const small = chain.pay(null, 1_000_000n);
    await chain.mine(2);
    const waits = "Another node has not confirmed this payment yet.";
    expect(await obstacleOf(real)).toBe(waits);
    await vouch(showing(real));
    expect([await obstacleOf(real), await obstacleOf(invented), await obstacleOf(small)]).toEqual([
      null,
      waits,
      null,
    ]);
  });

  it("is vouched for after any number of payments that need no other node", async () => {
    await database.sql(
      `insert into unattributed (chain, txid, output_index, watch_key, address, currency, units, from_addresses, spends,
         received_at, block_height, block_hash, state, created_at, updated_at)
       select chain, txid || '-' || n, output_index, watch_key, address, currency, 1, from_addresses, spends,
         received_at, block_height, block_hash, state, created_at, updated_at
       from generate_series(1, 500) as n, (select * from unattributed order by id desc limit 1) as newest`,
    );
    const large = chain.pay(null, 8_000_000n);
    await chain.mine(2);
    await vouch(showing(large));
    expect(await obstacleOf(large)).toBeNull();
  });

  it("waits again when a reorg has moved the payment to another block", async () => {
    const txid = chain.pay(null, 7_000_000n);
    await chain.mine(2);
    await vouch(showing(txid));
    expect(await obstacleOf(txid)).toBeNull();
    chain.node.reorg(2);
    await chain.follow();
    expect(await obstacleOf(txid)).toMatch(/not final|not confirmed/);
    await chain.mine();
    expect(await obstacleOf(txid)).toMatch(/^Another node/);
    await vouch(showing(txid));
    expect(await obstacleOf(txid)).toBeNull();
  });
});
