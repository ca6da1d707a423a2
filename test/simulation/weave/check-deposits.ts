import assert from "node:assert/strict";
import { walletType } from "../../../src/accounts/wallets/wallet.ts";
import { depositStatus } from "../../../src/deposits/deposit-status.ts";
import { transferColumns, transferFromRow } from "../../../src/deposits/transfers/transfer.ts";
import type { Row } from "../../../src/platform/db/columns.ts";
import type { DepositSite } from "./deposit-site.ts";

/** Everything that deposits have led to, but for when it was last written, and for tallies, which a deposit may lack. */
export async function readDepositState({ deployment }: DepositSite) {
  const { sql } = deployment.database;
  const [row] = await sql<Readonly<Record<string, unknown>>>(
    `select
       (select jsonb_agg(to_jsonb(d) - 'updated_at' - 'tally' order by d.id) from deposit d) as deposits,
       (select jsonb_agg(to_jsonb(t) order by t.id) from transfer t) as transfers,
       (select jsonb_agg(to_jsonb(b) order by b.wallet_id) from wallet_balance b) as balances,
       (select count(*) from deposit_report) as reports,
       (select count(*) from event) as events,
       (select count(*) from posting) as postings,
       (select count(*) from payout) as payouts`,
  );
  return row;
}

/** By deposit, the totals from which its next payments are decided; a deposit without them is absent. */
export async function readTallies({
  deployment,
}: DepositSite): Promise<ReadonlyMap<string, unknown>> {
  const rows = await deployment.database.sql<{ readonly id: string; readonly tally: unknown }>(
    "select id, tally - 'as_of' as tally from deposit where tally is not null",
  );
  return new Map(rows.map(({ id, tally }) => [id, tally]));
}

/** Rejects unless each payment is recorded once and as the best chain and the mempool have it. */
export async function assertDepositsAsOnChain({
  deployment,
  chain,
  deposits,
}: DepositSite): Promise<void> {
  const { database, quiet } = deployment;
  const rows = await database.sql<Row>(
    `select ${transferColumns} from transfer t where t.deposit_id is not null and t.txid is not null order by t.id`,
  );
  const transfers = new Map(rows.map(transferFromRow).map((one) => [one.txid ?? "", one]));
  assert.equal(transfers.size, rows.length, "a payment is recorded twice");
  const [waitingReports] = await database.sql<{ readonly count: string }>(
    "select count(*)::text as count from deposit_report",
  );
  assert.equal(waitingReports?.count, "0", "reports wait although nobody works");

  const mined = chain
    .blocks()
    .flatMap(({ ref, transactions }) => transactions.map((one) => ({ ...one, ref })));
  const spent = new Map(mined.flatMap(({ txid, spends }) => spends.map((spend) => [spend, txid])));
  const ours = new Set(deposits.map(({ address }) => address));
  const currencies = quiet.world.context.currencies;
  const tip = chain.tip().height;
  const unpaid = await database.sql<{ readonly id: string }>(
    "select id from deposit where status = $1 and wallet_type = $2",
    [depositStatus.created, walletType.merchant],
  );
  const open = new Set(unpaid.map(({ id }) => id));
  for (const { txid, outputs } of [...mined, ...chain.waiting()])
    if (outputs.some(({ to }) => ours.has(to.address)))
      assert.ok(transfers.has(txid), `payment ${txid} is not recorded`);
  for (const transfer of transfers.values()) {
    const named = `payment ${transfer.txid} of ${transfer.units}`;
    const block = mined.find(({ txid }) => txid === transfer.txid)?.ref ?? null;
    const isWaiting = chain.waiting().some(({ txid }) => txid === transfer.txid);
    assert.equal(transfer.block?.hash, block?.hash, `the block of ${named}`);
    if (block !== null || isWaiting) assert.ok(!transfer.isCancelled, `${named} is canceled`);
    if (block === null && transfer.spends.some((spend) => spent.has(spend)))
      assert.ok(
        transfer.isCancelled,
        `${named} can never confirm and stays ${transfer.disposition}`,
      );
    const needed = currencies.get(transfer.currency ?? deposits[0]!.walletCurrency);
    const isDeep = block !== null && tip - block.height + 1 >= needed.confirmationBlocks;
    assert.equal(transfer.isConfirmed, isDeep, `whether ${named} is confirmed`);
    if (!isDeep) assert.notEqual(transfer.disposition, "credited", `${named} is credited`);
    // An invoice that is paid in part waits for the rest.
    else if (!open.has(transfer.depositId))
      assert.notEqual(transfer.disposition, "pending", `${named} is pending`);
  }
}
