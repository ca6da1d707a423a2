import { describe, expect, it } from "vitest";
import { expectBooksToBalance } from "../../../test/support/check-books.ts";
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
  readTransfers,
  usd,
} from "../../../test/support/deposit-world.ts";
import { walletType } from "../../accounts/wallets/wallet.ts";
import { noOwnActivity } from "../../chains/block-sink.ts";
import type { Database, Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { screenTransfers } from "../screening/screen-transfers.ts";
import { riskStatus } from "../transfers/transfer.ts";
import { pricePending } from "./price-pending.ts";

/* The cost of a payment must not grow with its deposit's earlier payments: the tests count rows, they do not measure time. */

const database = useDatabase();

const touched = {
  name: "test.touched",
  text: `select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as rows
         from pg_stat_xact_user_tables where relname = 'transfer'`,
};

/** Rows of `transfer` that the work reads. A session's count continues across transactions. */
async function rowsTouchedBy(tx: Executor, work: () => Promise<unknown>): Promise<number> {
  const count = async (): Promise<number> =>
    present((await tx.query<{ rows: number }>(touched))[0], "the table's counts").rows;
  const before = await count();
  await work();
  return (await count()) - before;
}

describe("a deposit with hundreds of payments", () => {
  const paymentCount = 400;
  const small = "0.00004";

  async function arrangePaid(options: Partial<Parameters<typeof arrangeDeposit>[2]> = {}) {
    const world = depositWorld(database, { isScreened: options.requested === undefined });
    world.rates.set(`${eth} ${usd}`, rateOf("2500"));
    const chain = await announceChain(world, "ETH");
    const wallet = await arrangeWallet(world, { type: walletType.merchant, currency: usd });
    const deposit = await arrangeDeposit(world, wallet, { currency: eth, ...options });
    const pay = (txid: string, count: number) =>
      Array.from({ length: count }, (_, index) =>
        payment({ deposit, amount: small, txid: `${txid} ${deposit.id}`, index }),
      );
    await chain.append(pay("many", paymentCount));
    // With few other rows in the table, PostgreSQL would read all of it instead of an index.
    await database.sql(
      `insert into transfer (account_id, op_type, status, wallet_id, deposit_id, currency, units, chain, txid, output_index,
         first_seen_at, disposition, created_at, updated_at)
       select $1::bigint, 1, 2, 1, 1000000 + n, '1002', 1, 'ETH', 'other ' || $2, n, $3::timestamptz, 'credited',
         $3::timestamptz, $3::timestamptz
       from generate_series(1, 5000) n`,
      [wallet.accountId, deposit.id, formatTimestamp(world.clock.now())],
    );
    await database.sql("analyze transfer");
    world.clock.advance(1);
    return { world, chain, deposit, pay };
  }

  it("processes another payment without reading the earlier ones", async () => {
    const { world, chain, deposit, pay } = await arrangePaid({ requested: "1000000" });
    await chain.grow(3);
    world.clock.advance(1);
    const touchedRows: number[] = [];
    const hits = pay("one more", 1);
    for (const found of [hits, [], []]) {
      await database.db.transaction(async (tx) => {
        const block = { ...chain.tip(), height: chain.tip().height + touchedRows.length + 1 };
        const next = { ...block, hash: `next ${block.height}` };
        const append = () =>
          world.sink.appended(tx, "ETH", next, found, world.clock.now(), noOwnActivity);
        touchedRows.push(await rowsTouchedBy(tx, append));
      });
    }
    expect(Math.max(...touchedRows)).toBeLessThan(20);
    const transfers = await readTransfers(world, deposit);
    expect(transfers.filter(({ isConfirmed }) => isConfirmed)).toHaveLength(paymentCount + 1);
    await database.sql("delete from transfer where txid like 'other%'");
    await expectBooksToBalance(database);
  });

  it("screens twenty payments per transaction and reads each of them once", async () => {
    const { world, deposit } = await arrangePaid();
    const { db } = database;
    let transactions = 0;
    const touchedRows: number[] = [];
    const counting: Database = {
      ...db,
      transaction: (work) =>
        db.transaction(async (tx) => {
          transactions += 1;
          const results: Awaited<ReturnType<typeof work>>[] = [];
          const run = async () => results.push(await work(tx));
          touchedRows.push(await rowsTouchedBy(tx, run));
          return present(results[0], "a result");
        }),
    };
    const provider = {
      name: "test",
      screen: () => Promise.resolve({ risk: 3, verdict: "green" as const }),
    };
    const { signal } = new AbortController();
    await screenTransfers({ ...world.context, db: counting, provider }, signal);
    expect(transactions).toBe(paymentCount / 20);
    expect(Math.max(...touchedRows)).toBeLessThan(100);
    const transfers = await readTransfers(world, deposit);
    expect(new Set(transfers.map((transfer) => transfer.riskStatus))).toEqual(
      new Set([riskStatus.green]),
    );
    await database.sql("delete from transfer where txid like 'other%'");
    await expectBooksToBalance(database);
  });

  it("values two hundred payments per transaction once a price is available", async () => {
    const world = depositWorld(database);
    const chain = await announceChain(world, "ETH");
    const wallet = await arrangeWallet(world, { type: walletType.merchant, currency: usd });
    const deposit = await arrangeDeposit(world, wallet, { currency: eth });
    await chain.append(
      Array.from({ length: paymentCount }, (_, index) =>
        payment({ deposit, amount: "0.000043", txid: "unpriced", index }),
      ),
    );
    world.rates.set(`${eth} ${usd}`, rateOf("2500"));
    await pricePending(world.context);
    // 0.1075 USD each: the next payment makes up for what rounding took from this one.
    expect((await readDeposit(world, deposit)).sums.targetPaidPending).toBe(4_300n);
    await database.sql("delete from transfer where txid like 'other%'");
    await expectBooksToBalance(database);
  });
});
