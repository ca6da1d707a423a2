/**
 * Kills the servers of a distributed database with SIGKILL, one after the other, while two accounts on different nodes pay each other.
 * Afterwards every request that was answered has paid once, none has paid twice, and the books balance.
 *
 * Runs with `SLUICE_CITUS_URL` on this machine and `SLUICE_CITUS_START`, a shell command that starts the server whose port it is given.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import pg from "pg";
import { expect, inject, it } from "vitest";
import type { Deposit } from "../../src/deposits/deposit.ts";
import { admission } from "../../src/platform/db/admission.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { expectBooksToBalance } from "../support/check-books.ts";
import { arrangeDeposit, arrangeWallet, type Wallet } from "../support/deposit-world.ts";
import { describeOnCitus } from "../support/describe-on-citus.ts";
import { fund, postPayout } from "../support/payout-world.ts";
import { usePayoutCreation } from "../support/use-payout-creation.ts";

const start = process.env["SLUICE_CITUS_START"];
const nodes = inject("databaseNodes");
const { database, world, payouts, account, balanceOf } = usePayoutCreation();
const ether = 10n ** 18n;
const payers = 6;
const pauseMs = 1_500;

describeOnCitus("two accounts on different nodes", { SLUICE_CITUS_START: start }, () => {
  it("lose and gain nothing when servers are killed while they pay each other", async () => {
    const one = account.wallet;
    const other = await walletElsewhere(one);
    await fund(world, other, "10");
    const [ofOne, ofOther] = [await arrangeDeposit(world, one), await arrangeDeposit(world, other)];
    const answered: string[] = [];
    let repeated = 0;
    let isOver = false;
    const pay = async (from: Wallet, to: Deposit): Promise<void> => {
      while (!isOver) {
        const key = systemRandom.uuid();
        for (;;) {
          const answer = await postPayout(payouts, from, {
            key,
            attributes: {
              address: undefined,
              fee_amount: undefined,
              amount: "0.001",
              target_deposit: to.paymentPageId,
            },
          });
          // The answer may be lost with the server: the same request is made again, and refused if it was accepted.
          if (answer.status === 201 || answer.status === 409) break;
          expect(answer.status, JSON.stringify(answer.errors)).toBeGreaterThanOrEqual(500);
          repeated += 1;
          await systemClock.sleep(200);
        }
        answered.push(key);
      }
    };
    const paying = Promise.all(
      Array.from({ length: payers }, (_, place) =>
        place % 2 === 0 ? pay(one, ofOther) : pay(other, ofOne),
      ),
    );
    for (const node of [...nodes, ...nodes]) {
      await systemClock.sleep(pauseMs);
      await kill(node);
    }
    await systemClock.sleep(pauseMs);
    isOver = true;
    await paying;
    // Citus decides what a killed server left undecided once a minute by itself.
    await database.sql("select recover_prepared_transactions()");
    for (const node of nodes)
      expect(await query(node, "select gid from pg_prepared_xacts")).toEqual([]);

    const keys = await database.sql<{ key: string }>(
      "select key from payout_key k join payout p on p.account_id = k.account_id and p.id = k.payout_id",
    );
    expect(keys.map(({ key }) => key).toSorted()).toEqual(answered.toSorted());
    // Each payment is debited on the payer's node and credited on the receiver's, where the test's deposits book a receipt.
    const sides = await database.sql<{ side: string; payments: string }>(
      `select split_part(cause, ':', 1) as side, count(distinct cause) as payments from posting
       where cause like 'payout:%' or cause like 'test-receipt:%' group by 1 order by 1`,
    );
    expect(sides.map(({ payments }) => Number(payments))).toEqual([
      answered.length,
      answered.length,
    ]);
    await expectBooksToBalance(database);
    const balances = [await balanceOf(one), await balanceOf(other)];
    expect(balances.reduce((sum, row) => sum + (row?.available ?? 0n), 0n)).toBe(20n * ether);
    expect(repeated, "requests during which a server died").toBeGreaterThan(0);
    console.log(
      `${answered.length} payouts, ${repeated} requests repeated, ${2 * nodes.length} kills`,
    );
  });
});

async function nodeOf(accountId: string): Promise<string> {
  const [row] = await database.sql<{ port: string }>(
    `select nodeport as port from citus_shards
     where shardid = get_shard_id_for_distribution_column('posting', $1::bigint)`,
    [accountId],
  );
  return row?.port ?? "";
}

async function walletElsewhere({ accountId }: Wallet): Promise<Wallet> {
  for (;;) {
    const wallet = await arrangeWallet(world);
    if ((await nodeOf(wallet.accountId)) !== (await nodeOf(accountId))) return wallet;
  }
}

/** Kills a server with all its processes, starts it again, and waits until it answers. */
async function kill(node: string): Promise<void> {
  const [server] = await query<{ pid: string }>(
    node,
    "select split_part(pg_read_file('postmaster.pid'), E'\\n', 1) as pid",
  );
  process.kill(Number(server?.pid), "SIGKILL");
  await promisify(execFile)("sh", ["-c", `${start ?? ""} ${new URL(node).port}`]);
  for (;;) {
    const isUp = await query(node, "select 1").then(
      () => true,
      () => false,
    );
    if (isUp) break;
    await systemClock.sleep(100);
  }
  if (node === nodes.at(-1)) {
    // What a worker does once it has verified that this is the newest database.
    await query(database.url, `update database_mark set ${admission}`);
  }
}

async function query<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
): Promise<readonly Row[]> {
  const server = url === database.url ? url : url.replace(/\/sluice$/, "/postgres");
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}
