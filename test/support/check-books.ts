import { expect } from "vitest";
import type { Deposit } from "../../src/deposits/deposit.ts";
import { depositColumns, depositFromRow } from "../../src/deposits/deposit.ts";
import { isBlocked } from "../../src/deposits/payments/decide-transfer.ts";
import { positionsOf } from "../../src/deposits/payments/positions.ts";
import {
  type TransferRecord,
  transferColumns,
  transferFromRow,
  unrefundedPart,
} from "../../src/deposits/transfers/transfer.ts";
import { positionsOf as positionsOfReceipt } from "../../src/deposits/unattributed/positions.ts";
import { receiptColumns, receiptFromRow } from "../../src/deposits/unattributed/receipt.ts";
import { payoutColumns, payoutFromRow } from "../../src/payouts/payout.ts";
import { positionsOf as positionsOfPayout } from "../../src/payouts/positions.ts";
import type { Row } from "../../src/platform/db/columns.ts";
import type { TestDatabase } from "./database.ts";

type Sum = { readonly name: string; readonly units: bigint };

/**
 * Checks the ledger of the whole database against everything it follows from: postings against the positions of each transfer,
 * payout and unattributed payment, wallet balances against postings, deposits' sums against their transfers, events against status changes.
 */
export async function expectBooksToBalance({ sql }: Pick<TestDatabase, "sql">): Promise<void> {
  const deposits = await readDeposits(sql);
  const transfers = (
    await sql<Row>(
      // Activations of deposit addresses move the operator's own money.
      `select ${transferColumns} from transfer t where t.deposit_id is not null and t.op_type <> 49 order by t.id`,
    )
  ).map(transferFromRow);
  const depositById = new Map(deposits.map((deposit) => [deposit.id, deposit]));

  const booked = await bookedFor({ sql }, "transfer");
  const expected = transfers.flatMap((transfer) =>
    positionsOf(transfer, depositById.get(transfer.depositId)!).map((position) => ({
      name: `transfer:${transfer.id} ${position.currency} ${position.account}`,
      units: position.units,
    })),
  );
  expect(asRecord(booked)).toEqual(asRecord(expected));

  const payouts = (await sql<Row>(`select ${payoutColumns} from payout p order by p.id`)).map(
    payoutFromRow,
  );
  const expectedOfPayouts = payouts.flatMap((payout) =>
    positionsOfPayout(payout).map((position) => ({
      name: `payout:${payout.id} ${position.currency} ${position.account}`,
      units: position.units,
    })),
  );
  expect(asRecord(await bookedFor({ sql }, "payout"))).toEqual(asRecord(expectedOfPayouts));

  const receipts = (
    await sql<Row>(`select ${receiptColumns} from unattributed u order by u.id`)
  ).map(receiptFromRow);
  const expectedOfReceipts = receipts.flatMap((receipt) =>
    positionsOfReceipt(receipt).map((position) => ({
      name: `unattributed:${receipt.id} ${position.currency} ${position.account}`,
      units: position.units,
    })),
  );
  expect(asRecord(await bookedFor({ sql }, "unattributed"))).toEqual(asRecord(expectedOfReceipts));

  const balances = await sql<Sum>(
    `select 'wallet/' || b.wallet_id || '/' || bucket.name as name, bucket.units
     from wallet_balance b, lateral (values
       ('available', -b.available), ('pending', -b.pending), ('held', -b.held), ('deficit', b.deficit)) as bucket (name, units)
     where bucket.units <> 0`,
  );
  expect(asRecord(balances)).toEqual(asRecord(await ledgerSums({ sql }, "wallet/%")));

  for (const deposit of deposits) {
    const own = transfers.filter((transfer) => transfer.depositId === deposit.id);
    expect({ id: deposit.id, ...deposit.sums, assets: deposit.assets }).toEqual({
      id: deposit.id,
      ...sumsOf(own),
      assets: assetsOf(own),
    });
  }
  const stale = await sql(
    `select t.id from transfer t join payout p on p.account_id = t.account_id and p.id = t.refund_payout_id
     join refund r on r.account_id = p.account_id and r.payout_id = p.id
     where t.refund_undone_at is null and p.stage in ('cancelled', 'failed')`,
  );
  expect(stale, "refunds that stand although their payouts released the money").toEqual([]);
  const changes = await sql<{ id: string; version: number }>(
    `select object_id as id, count(*)::int as version from event where trigger = 'status' group by object_id`,
  );
  expect(changes.toSorted((a, b) => Number(a.id) - Number(b.id))).toEqual(
    deposits
      .filter((deposit) => deposit.statusVersion > 0)
      .map((deposit) => ({ id: deposit.id, version: deposit.statusVersion })),
  );
}

/** The total booked for each fact of a kind, by currency and account; zero totals are omitted. */
function bookedFor(
  { sql }: Pick<TestDatabase, "sql">,
  kind: "transfer" | "payout" | "unattributed",
) {
  return sql<Sum>(
    `select cause || ' ' || currency || ' ' || account as name, sum(units) as units from (
       select cause, currency, debit as account, units from posting
       union all select cause, currency, credit, -units from posting) as side
     where cause like $1 group by cause, currency, account having sum(units) <> 0`,
    [`${kind}:%`],
  );
}

/** Balances of ledger accounts, debits positive; accounts at zero are omitted. */
export function ledgerSums({ sql }: Pick<TestDatabase, "sql">, like = "%") {
  return sql<Sum>(
    `select account as name, sum(units) as units from (
       select debit as account, currency, units from posting
       union all select credit, currency, -units from posting) as side
     where account like $1 group by account, currency having sum(units) <> 0 order by account`,
    [like],
  );
}

async function readDeposits(sql: TestDatabase["sql"]): Promise<readonly Deposit[]> {
  const rows = await sql<Row>(`select ${depositColumns} from deposit d order by d.id`);
  return rows.map(depositFromRow);
}

function asRecord(sums: readonly Sum[]): Readonly<Record<string, bigint>> {
  return Object.fromEntries(
    sums
      .map(({ name, units }) => [name, units] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/** The definition of each sum, computed from the transfers alone. */
function sumsOf(transfers: readonly TransferRecord[]): Deposit["sums"] {
  const counted = transfers.filter(
    (transfer) =>
      ["pending", "unresolved", "credited", "refunded"].includes(transfer.disposition) &&
      !isBlocked(transfer),
  );
  const sum = (list: readonly TransferRecord[], of: (transfer: TransferRecord) => bigint): bigint =>
    list.reduce((total, transfer) => total + of(transfer), 0n);
  const paid = counted.filter((transfer) => transfer.isConfirmed);
  const pending = counted.filter((transfer) => !transfer.isConfirmed);
  const credited = counted.filter((transfer) => transfer.disposition === "credited");
  return {
    targetPaid: sum(paid, (transfer) => transfer.targetUnits),
    sourcePaid: sum(paid, (transfer) => transfer.units),
    targetPaidPending: sum(pending, (transfer) => transfer.targetUnits),
    sourcePaidPending: sum(pending, (transfer) => transfer.units),
    enrolled: sum(
      credited,
      (transfer) => unrefundedPart(transfer).targetUnits - transfer.targetCommissionUnits,
    ),
    commission: sum(credited, (transfer) => transfer.targetCommissionUnits),
    sourceCommission: sum(credited, (transfer) => transfer.commissionUnits),
  };
}

function assetsOf(transfers: readonly TransferRecord[]): Readonly<Record<string, bigint>> {
  const assets: Record<string, bigint> = {};
  for (const { currency, units, isCancelled } of transfers) {
    if (currency === null || isCancelled || units === 0n) continue;
    assets[currency] = (assets[currency] ?? 0n) + units;
  }
  return assets;
}
