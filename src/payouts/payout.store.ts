import type { FiatPrice } from "../currencies/rates/fiat-price.ts";
import { type ChainTip, chainTipOf } from "../deposits/transfers/chain-tip.ts";
import {
  type PayoutTransfer,
  payoutTransferFields,
  payoutTransferProgress,
} from "../deposits/transfers/transfer.ts";
import { assignments, columnList, type Row, writeRecord } from "../platform/db/columns.ts";
import { type Executor, statement } from "../platform/db/database.ts";
import { assert } from "../platform/kernel/assert.ts";
import type { Instant } from "../platform/kernel/clock.ts";
import type { CurrencyId } from "../platform/kernel/money.ts";
import { formatTimestamp } from "../platform/kernel/timestamp.ts";
import { type Payout, payoutColumns, payoutFields, payoutFromRow, payoutState } from "./payout.ts";
import type { PayoutPrices } from "./payout-prices.ts";
import { stateOfPayout } from "./payout-state.ts";
import { transferOfPayout } from "./payout-transfer.ts";

const lock = statement<Row>(
  "payout.lock",
  `select ${payoutColumns} from payout p where p.id = any($1::bigint[]) order by p.id for update of p`,
);

/** Locks payouts in id order; every change of a payout holds this lock. */
export async function lockPayoutRows(
  tx: Executor,
  ids: readonly string[],
): Promise<readonly Payout[]> {
  const rows = await tx.query(lock, [ids]);
  return rows.map(payoutFromRow);
}

const insert = statement<never>(
  "payout.insert",
  "insert into payout select * from jsonb_populate_recordset(null::payout, $1::jsonb)",
);

/** Inserts new payouts with their transfers. `prices`: of those that are valued already, by payout id. */
export async function insertPayoutRows(
  tx: Executor,
  payouts: readonly Payout[],
  prices: ReadonlyMap<string, PayoutPrices> = new Map(),
): Promise<void> {
  if (payouts.length === 0) return;
  await Promise.all([
    tx.query(insert, [rowsOf(payouts)]),
    saveTransfersOfPayouts(
      tx,
      payouts.map((payout) => transferOfPayout(payout, null, prices.get(payout.id) ?? null)),
    ),
  ]);
}

const save = statement<{ readonly id: string }>(
  "payout.save",
  `update payout p set ${assignments(payoutState, "o")}, state = o.state
   from jsonb_populate_recordset(null::payout, $1::jsonb) as o
   where p.account_id = o.account_id and p.id = o.id
   returning p.id`,
);

/** Stores the mutable columns of locked payouts, and their transfers. */
export async function savePayoutRows(
  tx: Executor,
  payouts: readonly Payout[],
  transfers: readonly PayoutTransfer[],
): Promise<void> {
  if (payouts.length === 0) return;
  const [saved] = await Promise.all([
    tx.query(save, [rowsOf(payouts)]),
    saveTransfersOfPayouts(tx, transfers),
  ]);
  assert(saved.length === payouts.length, "a locked payout is gone");
}

const savedColumns = columnList(payoutTransferFields);

const saveTransfers = statement<never>(
  "payout.save-transfers",
  `insert into transfer (${savedColumns}, first_seen_at)
   select ${savedColumns}, created_at from jsonb_populate_recordset(null::transfer, $1::jsonb)
   on conflict (account_id, id) do update set ${assignments(payoutTransferProgress, "excluded")}`,
);

async function saveTransfersOfPayouts(
  tx: Executor,
  transfers: readonly PayoutTransfer[],
): Promise<void> {
  await tx.query(saveTransfers, [
    JSON.stringify(transfers.map((transfer) => writeRecord(payoutTransferFields, transfer))),
  ]);
}

const saveFiat = statement<never>(
  "payout.save-fiat",
  `update transfer set fiat_currency = $3, fiat_rate = $4, fiat_rate_exp = $5,
     fee_fiat_currency = $6, fee_fiat_rate = $7, fee_fiat_rate_exp = $8
   where account_id = $1 and id = $2 and fiat_rate is null and fee_fiat_rate is null`,
);

/** Stores what a payout and its fee are worth, unless that is known already. */
export async function savePayoutFiat(
  tx: Executor,
  { accountId, transferId }: Pick<Payout, "accountId" | "transferId">,
  { amount, fee }: PayoutPrices,
): Promise<void> {
  await tx.query(saveFiat, [
    accountId,
    transferId,
    ...[amount, fee].flatMap((price) => [
      price?.currency ?? null,
      price?.rate.units ?? null,
      price?.rate.exp ?? null,
    ]),
  ]);
}

const readConfirmedAt = statement<{
  readonly id: string;
  readonly confirmedAt: PayoutTransfer["confirmedAt"];
}>(
  "payout.read-confirmed-at",
  `select id, confirmed_at as "confirmedAt" from transfer
   where (account_id, id) in (select * from unnest($1::bigint[], $2::bigint[]))`,
);

/** When the payouts' transfers reached their confirmation counts, by transfer id. */
export async function readConfirmationTimes(
  tx: Executor,
  payouts: readonly Payout[],
): Promise<ReadonlyMap<string, PayoutTransfer["confirmedAt"]>> {
  const rows = await tx.query(readConfirmedAt, [
    payouts.map((payout) => payout.accountId),
    payouts.map((payout) => payout.transferId),
  ]);
  return new Map(rows.map((row) => [row.id, row.confirmedAt]));
}

const findDue = statement<{ readonly id: string }>(
  "payout.find-due",
  `select id from payout p where chain = $1 and due_height <= $2 and not exists (
     select from spend s where s.id = p.spend_id and s.state = 'included' and s.due_height <= $2)
   order by id`,
);

/**
 * Payouts of a chain that change when its tip reaches `height`, except those whose transaction's outcome must be read
 * again first.
 */
export async function findDuePayouts(
  tx: Executor,
  chain: string,
  height: number,
): Promise<readonly string[]> {
  return (await tx.query(findDue, [chain, height])).map((row) => row.id);
}

const readTips = statement<{
  readonly chain: string;
  readonly height: string | null;
  readonly locked_height: string | null;
}>(
  "payout.read-tips",
  "select chain, height, locked_height from chain_cursor where chain = any($1::text[])",
);

/** How far each chain has been read; chains never read are absent. */
export async function readPayoutTips(
  tx: Executor,
  chains: readonly string[],
): Promise<ReadonlyMap<string, ChainTip>> {
  const rows = await tx.query(readTips, [chains]);
  return new Map(rows.flatMap(({ chain, ...tip }) => chainTipOf(tip).map((one) => [chain, one])));
}

function rowsOf(payouts: readonly Payout[]): string {
  return JSON.stringify(
    payouts.map((payout) => ({
      ...writeRecord(payoutFields, payout),
      state: stateOfPayout(payout),
    })),
  );
}

const insertTopUpRow = statement<never>(
  "credit-wallet.insert-top-up",
  `insert into transfer (
     account_id, op_type, status, wallet_id, payout_id, currency, units, cleared_units, fee_currency, chain,
     first_seen_at, disposition, is_confirmed, confirmed_at, is_settled, created_at, updated_at,
     fiat_currency, fiat_rate, fiat_rate_exp)
   values ($1, 14, 2, $2, $3, $4, $5, $5, $4, $6, $7, 'payout', true, $7, true, $7, $7, $8, $9, $10)`,
);

/** Inserts the transfer (op_type 14) that shows an internal payout in the receiving wallet. */
export async function insertTopUp(
  tx: Executor,
  payout: Payout,
  credited: {
    readonly walletId: string;
    readonly currency: CurrencyId;
    readonly units: bigint;
    readonly fiat: FiatPrice | null;
  },
  now: Instant,
): Promise<void> {
  const { walletId, currency, units, fiat } = credited;
  const { accountId, id, chain } = payout;
  await tx.query(insertTopUpRow, [
    accountId,
    walletId,
    id,
    currency,
    units,
    chain,
    formatTimestamp(now),
    fiat?.currency ?? null,
    fiat?.rate.units ?? null,
    fiat?.rate.exp ?? null,
  ]);
}
