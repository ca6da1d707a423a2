import { describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import {
  announceChain,
  arrangeDeposit,
  arrangeWallet,
  depositWorld,
  eth,
  payment,
  rateOf,
  readDeposit,
  readEvents,
  readTransfers,
  usd,
} from "../../../test/support/deposit-world.ts";
import { walletType } from "../../accounts/wallets/wallet.ts";
import { noOwnActivity } from "../../chains/block-sink.ts";
import type { Executor } from "../../platform/db/database.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { depositStatus } from "../deposit-status.ts";
import { unlistedMax } from "./limit-hits.ts";

/* The cost of a block must not grow with the table, nor with the number of earlier payments to a deposit. */

const database = useDatabase();

const touched = {
  name: "test.touched",
  text: `select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as rows
         from pg_stat_xact_user_tables where relname = 'transfer'`,
};

async function rowsTouched(tx: Executor): Promise<number> {
  const [row] = await tx.query<{ rows: number }>(touched);
  return row?.rows ?? 0;
}

describe("a deposit with thousands of transfers", () => {
  it("records a payment without reading other deposits' transfers or its own deposit's dust", async () => {
    const world = depositWorld(database);
    world.rates.set(`${eth} ${usd}`, rateOf("3000"));
    const chain = await announceChain(world, "ETH");
    const wallet = await arrangeWallet(world, { type: walletType.merchant, currency: usd });
    const deposit = await arrangeDeposit(world, wallet, { currency: eth, requested: "3000" });
    await chain.append(
      Array.from({ length: 300 }, (_, index) =>
        payment({ deposit, amount: "0.000000000000000001", txid: "dust", index }),
      ),
    );
    await database.sql(
      `insert into transfer (account_id, op_type, status, wallet_id, deposit_id, currency, units, chain, txid, output_index,
       first_seen_at, disposition, created_at, updated_at)
     select $1::bigint, 1, 2, 1, 1000000 + n, '1002', 1, 'ETH', 'other', n, $2::timestamptz, 'credited',
       $2::timestamptz, $2::timestamptz
     from generate_series(1, 3000) n`,
      [wallet.accountId, formatTimestamp(world.clock.now())],
    );
    await database.sql("analyze transfer");

    const touchedRows = await database.db.transaction(async (tx) => {
      const block = { ...chain.tip(), height: chain.tip().height + 1, hash: "next" };
      const hits = [payment({ deposit, amount: "1" })];
      await world.sink.appended(tx, "ETH", block, hits, world.clock.now(), noOwnActivity);
      return rowsTouched(tx);
    });
    expect(touchedRows).toBeLessThan(100 + 300);
  });

  it("records and reports thousands of payments to one deposit in one block", async () => {
    const world = depositWorld(database);
    const chain = await announceChain(world, "ETH");
    const deposit = await arrangeDeposit(world, await arrangeWallet(world));
    const hits = Array.from({ length: 1_200 }, (_, index) =>
      payment({ deposit, amount: "1", txid: "many", index }),
    );
    await chain.append(hits);
    await chain.grow(2);
    expect(await readTransfers(world, deposit)).toHaveLength(1_200);
    expect(await readEvents(world, deposit)).toHaveLength(1_200);
    expect((await readDeposit(world, deposit)).status).toBe(depositStatus.created);
  });

  it("records at most a hundred unlisted tokens per deposit and every payment", async () => {
    const world = depositWorld(database);
    const chain = await announceChain(world, "ETH");
    const deposit = await arrangeDeposit(world, await arrangeWallet(world));
    const other = await arrangeDeposit(world, await arrangeWallet(world));
    const tokens = (txid: string, to = deposit) =>
      Array.from({ length: 80 }, (_, index) =>
        payment({ deposit: to, amount: "5", unlisted: "0xcafe", txid, index }),
      );
    const [first, second] = [tokens("spam1"), tokens("spam2")];
    await chain.append([...first, payment({ deposit, amount: "1" })]);
    await chain.append([...second, payment({ deposit, amount: "2" }), ...tokens("spam3", other)]);
    const recorded = async (of = deposit) => {
      const transfers = await readTransfers(world, of);
      return {
        unlisted: transfers.filter((transfer) => transfer.currency === null).length,
        payments: transfers.filter((transfer) => transfer.currency !== null).length,
      };
    };
    expect(await recorded()).toEqual({ unlisted: unlistedMax, payments: 2 });
    expect(await recorded(other)).toEqual({ unlisted: 80, payments: 0 });

    await chain.orphan();
    await chain.append([...second, ...tokens("spam4")]);
    expect(await recorded()).toEqual({ unlisted: unlistedMax, payments: 2 });
    const inBlocks = (await readTransfers(world, deposit)).filter(({ block }) => block !== null);
    expect(inBlocks).toHaveLength(unlistedMax + 1);
  });
});
