import type { Row } from "../../platform/db/columns.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import type { Deposit } from "../deposit.ts";
import { depositColumns, depositFromRow } from "../deposit.ts";
import { type ChainTip, chainTipOf } from "../transfers/chain-tip.ts";
import type { TransferRecord } from "../transfers/transfer.ts";
import { transferColumns, transferFromRow } from "../transfers/transfer.ts";

/** A transfer and its deposit, by id. */
export type TransferReference = {
  readonly id: string;
  readonly account_id: string;
  readonly deposit_id: string;
};

/** The same with all that it brings, and whether a block of the best chain holds it after all its reports. */
export type PlacedTransfer = TransferReference & {
  readonly currency: string | null;
  readonly arrived_units: bigint;
  readonly is_on_chain: boolean;
};

const placedColumns = `id, account_id, deposit_id, currency, units + coalesce(withheld_units, 0) as arrived_units, coalesce(
  (select r.is_on_chain from deposit_report r where r.transfer_id = transfer.id order by r.id desc limit 1),
  block_height is not null and status <> -3) as is_on_chain`;

// `limit` keeps PostgreSQL from comparing every transfer with every output: each output is one index lookup, whatever plan was
// chosen. An output has at most one transfer.
const findByOutput = statement<
  PlacedTransfer & { readonly txid: string; readonly output_index: string }
>(
  "incoming.find-by-output",
  `select found.* from (select distinct * from unnest($2::text[], $3::bigint[])) as wanted (txid, output_index)
   cross join lateral (
     select ${placedColumns}, txid, output_index from transfer
     where deposit_id is not null and chain = $1 and txid = wanted.txid and output_index = wanted.output_index
     limit 1) as found`,
);

const findDue = statement<TransferReference>(
  "incoming.find-due",
  `select id, account_id, deposit_id from transfer
   where chain = $1 and due_height <= $2 and deposit_id is not null and rate is not null and risk_status <> 2
     and awaits_opinion_since is null
   order by first_seen_at, id`,
);

const selectAwaiting = `select t.id, t.account_id, t.deposit_id, t.currency, t.units, t.withheld_units, t.chain, t.txid, t.output_index,
     t.watch_key, t.spendable_from_height, t.block_height, t.block_hash, t.due_height, b.read_from
   from transfer t left join chain_block b on b.chain = t.chain and b.hash = t.block_hash`;

/** Transfers `t` that no other node has confirmed, deep enough or not. */
const isUnsettled = `t.due_height is not null and not t.is_settled and t.vouched_hash is distinct from t.block_hash
     and t.deposit_id is not null and t.currency is not null and t.txid is not null and t.block_hash is not null`;

const findPaymentsIn = statement<AwaitingRow>(
  "incoming.find-payments-in",
  `${selectAwaiting} where t.chain = $1 and t.block_height = $2 and t.block_hash = $3 and ${isUnsettled}`,
);

export type BlockWithPayments = { readonly height: number; readonly hash: string };

const findBlocksWithPayments = statement<{ readonly height: string; readonly hash: string }>(
  "incoming.find-blocks-with-payments",
  `select distinct t.block_height as height, t.block_hash as hash from transfer t
   where t.chain = $1 and t.block_height > $2 and ${isUnsettled} order by t.block_height`,
);

const findNewestHeight = statement<{ readonly height: string | null }>(
  "incoming.find-newest-height",
  "select height from chain_cursor where chain = $1",
);

const findAwaiting = statement<AwaitingRow>(
  "incoming.find-awaiting",
  `${selectAwaiting}
   where t.chain = $1 and t.due_height is not null and t.awaits_opinion_since is not null and t.deposit_id is not null
     and t.block_hash is not null and t.txid is not null and t.id > $2
   order by t.id limit $3`,
);

const findInBlock = statement<PlacedTransfer>(
  "incoming.find-in-block",
  `select ${placedColumns} from transfer where chain = $1 and block_height = $2 and deposit_id is not null`,
);

const findRivals = statement<PlacedTransfer>(
  "incoming.find-rivals",
  `select ${placedColumns} from transfer
   where block_height is null and status in (1, 2, -2) and spends && $2::text[]
     and chain = $1 and txid <> all($3::text[]) and deposit_id is not null`,
);

const findQueued = statement<Row>(
  "incoming.find-queued",
  `select ${transferColumns} from transfer t
   where t.risk_status = 2 and t.status = 1 and t.id > $1 and t.deposit_id is not null order by t.id limit $2`,
);

export type OutstandingRow = {
  readonly account_id: string;
  readonly id: string;
  readonly txid: string;
  readonly spends: readonly string[];
  readonly first_seen_at: Instant;
};

const findOutstanding = statement<OutstandingRow>(
  "incoming.find-outstanding",
  `select account_id, id, txid, spends, first_seen_at from transfer
   where chain = $1 and block_height is null and status in (1, 2, -2) and deposit_id is not null and txid is not null
   order by id`,
);

/** A transfer that needs another node's confirmation. */
export type AwaitingRow = TransferReference & {
  readonly currency: string | null;
  readonly units: bigint;
  readonly withheld_units: bigint | null;
  readonly chain: string;
  readonly txid: string;
  readonly output_index: string;
  readonly watch_key: string;
  readonly spendable_from_height: string | null;
  readonly block_height: string;
  readonly block_hash: string;
  readonly due_height: string;
  /** The node that reported its block; null if unknown. */
  readonly read_from: string | null;
};

const findByIds = statement<PlacedTransfer>(
  "incoming.find-by-ids",
  `select ${placedColumns} from transfer where id = any($1::bigint[]) and deposit_id is not null`,
);

const findUnpriced = statement<TransferReference>(
  "incoming.find-unpriced",
  `select id, account_id, deposit_id from transfer
   where rate is null and status = 1 and disposition = 'pending' and id > $1 and deposit_id is not null order by id limit $2`,
);

const findExpired = statement<{ readonly id: string }>(
  "incoming.find-expired",
  `select d.id from deposit d left join chain_cursor c on c.chain = d.chain
   where d.expires_at < $1 and d.expiry_concluded_at is null and d.status = 2
     and (d.chain is null
       or (c.caught_up_at > d.expires_at and (c.block_time > d.expires_at or d.chain = any($2::text[]))))
     and not exists (
       select from transfer t
       where t.account_id = d.account_id and t.deposit_id = d.id and t.disposition = 'pending' and not t.is_confirmed
         and t.first_seen_at <= d.expires_at)
     and not exists (select from deposit_report r where r.deposit_id = d.id)
   order by d.expires_at limit $3`,
);

const lockDeposits = statement<Row>(
  "incoming.lock-deposits",
  `select ${depositColumns} from deposit d where d.id = any($1::bigint[]) order by d.id for update`,
);

const readTransfersById = statement<Row>(
  "incoming.read-transfers-by-id",
  `select ${transferColumns} from transfer t where t.id = any($1::bigint[]) and t.deposit_id is not null order by t.id`,
);

// The balance too: the decision books postings, and a follower must not wait for a payout of the same wallet.
const lockFreeDeposits = statement<Row>(
  "incoming.lock-free-deposits",
  `select ${depositColumns} from deposit d
   join wallet_balance b on b.account_id = d.account_id and b.wallet_id = d.wallet_id
   where d.id = any($1::bigint[]) order by d.id for update of d, b skip locked`,
);

// Two queries, each with its own index: `or` between them would read the whole table.
const readTransfers = statement<Row>(
  "incoming.read-transfers",
  `select ${transferColumns} from transfer t
   where t.id in (
     select unnest($1::bigint[])
     union
     select of_deposit.id
     from unnest($2::bigint[], $3::bigint[]) as d (account_id, deposit_id)
     join transfer of_deposit on of_deposit.account_id = d.account_id and of_deposit.deposit_id = d.deposit_id
     where of_deposit.disposition in ('pending', 'unresolved', 'credited') or of_deposit.refunded_at is not null)
     and t.deposit_id is not null
   order by t.id`,
);

const countUnlistedStatement = statement<{ readonly deposit_id: string; readonly count: string }>(
  "incoming.count-unlisted",
  `select deposit_id, count(*) as count from (
     select deposit_id from transfer
     where currency is null and deposit_id is not null and (account_id, deposit_id) in (select * from unnest($1::bigint[], $2::bigint[]))
     union all
     select deposit_id from deposit_report
     where deposit_id = any($2::bigint[]) and hit #>> '{transfer,asset,kind}' = 'unlisted') as unlisted
   group by deposit_id`,
);

const reserveIds = statement<{ readonly id: string }>(
  "incoming.reserve-transfer-ids",
  `select nextval(pg_get_serial_sequence('transfer', 'id')) as id from generate_series(1, $1)`,
);

const readTipsStatement = statement<{
  readonly chain: string;
  readonly height: string | null;
  readonly locked_height: string | null;
}>(
  "incoming.read-tips",
  `select chain, height, locked_height from chain_cursor where chain = any($1::text[])`,
);

/** References to what a block or the mempool touches. */
export const references = {
  byOutput: (tx: Executor, chain: string, keys: readonly { txid: string; index: number }[]) =>
    keys.length === 0
      ? Promise.resolve([])
      : tx.query(findByOutput, [chain, keys.map((key) => key.txid), keys.map((key) => key.index)]),
  due: (tx: Executor, chain: string, height: number) => tx.query(findDue, [chain, height]),
  inBlock: (tx: Executor, chain: string, height: number) => tx.query(findInBlock, [chain, height]),
  /** Transfers outside blocks that spend the same outputs as these transactions but belong to other transactions. */
  rivals: (tx: Executor, chain: string, spends: readonly string[], txids: readonly string[]) =>
    spends.length === 0 ? Promise.resolve([]) : tx.query(findRivals, [chain, spends, txids]),
  byIds: (tx: Executor, ids: readonly string[]) => tx.query(findByIds, [ids]),
  /** Transfers that need another node's confirmation, oldest first, after the given id. */
  awaiting: (tx: Executor, chain: string, afterId: string, limit: number) =>
    tx.query(findAwaiting, [chain, afterId, limit]),
  /** A chain's newest booked height; null before the first one. */
  newestHeight: async (tx: Executor, chain: string): Promise<number | null> => {
    const [row] = await tx.query(findNewestHeight, [chain]);
    return row === undefined || row.height === null ? null : Number(row.height);
  },
  /** Blocks above that height with payments that are not settled. */
  blocksWithPayments: async (
    tx: Executor,
    chain: string,
    above: number,
  ): Promise<readonly BlockWithPayments[]> => {
    const rows = await tx.query(findBlocksWithPayments, [chain, above]);
    return rows.map(({ height, hash }) => ({ height: Number(height), hash }));
  },
  /** The block's payments that are not settled. */
  paymentsIn: (tx: Executor, chain: string, height: number, hash: string) =>
    tx.query(findPaymentsIn, [chain, height, hash]),
  /** Payments without a price, oldest first, after the given id. */
  unpriced: (tx: Executor, afterId: string, limit: number) =>
    tx.query(findUnpriced, [afterId, limit]),
};

const findDueWork = statement<TransferReference>(
  "incoming.find-due-work",
  `select id, account_id, deposit_id from (
     select t.id, t.account_id, t.deposit_id,
       row_number() over (partition by t.deposit_id order by t.first_seen_at, t.id) as place
     from chain_cursor c join transfer t on t.chain = c.chain and (t.due_height <= c.height
       or (t.due_height > c.height and t.block_height <= c.locked_height and not t.is_settled
         and (t.spendable_from_height is null or t.spendable_from_height <= c.height)))
     where t.deposit_id is not null and t.rate is not null and t.risk_status <> 2
       and t.awaits_opinion_since is null) as due
   where place <= $1`,
);

/** Transfers whose due height their chain has reached, or whose block is locked, up to a limit per deposit, oldest first. */
export function readDueTransfers(
  db: Executor,
  perDeposit: number,
): Promise<readonly TransferReference[]> {
  return db.query(findDueWork, [perDeposit]);
}

/** Transfers that wait for screening, oldest first, after the given id. */
export async function readQueuedForScreening(
  db: Executor,
  afterId: string,
  limit: number,
): Promise<readonly TransferRecord[]> {
  const rows = await db.query(findQueued, [afterId, limit]);
  return rows.map(transferFromRow);
}

/** Pending transfers of a chain that are in no block. */
export function readOutstanding(tx: Executor, chain: string): Promise<readonly OutstandingRow[]> {
  return tx.query(findOutstanding, [chain]);
}

/** Deposits whose time limit has expired and whose chain was read beyond it. `idleChains` produce no blocks of their own. */
export async function readExpired(
  db: Executor,
  now: Instant,
  idleChains: readonly string[],
  limit: number,
): Promise<readonly string[]> {
  const rows = await db.query(findExpired, [formatTimestamp(now), idleChains, limit]);
  return rows.map((row) => row.id);
}

/** Locks deposits in id order; every change of a deposit or its transfers holds this lock. */
export async function lockDepositRows(
  tx: Executor,
  ids: readonly string[],
): Promise<readonly Deposit[]> {
  const rows = await tx.query(lockDeposits, [ids]);
  return rows.map(depositFromRow);
}

/** Locks those that nobody else has locked, with the balances of their wallets; does not wait. */
export async function lockFreeDepositRows(
  tx: Executor,
  ids: readonly string[],
): Promise<readonly Deposit[]> {
  const rows = await tx.query(lockFreeDeposits, [ids]);
  return rows.map(depositFromRow);
}

/**
 * The named transfers and, of the named deposits, all that count as payments. Dust is left out: its sender must not be able to
 * slow down every later read.
 */
export async function readTransferRows(
  tx: Executor,
  transferIds: readonly string[],
  deposits: readonly Deposit[],
): Promise<readonly TransferRecord[]> {
  const rows =
    deposits.length === 0
      ? await tx.query(readTransfersById, [transferIds])
      : await tx.query(readTransfers, [
          transferIds,
          deposits.map((deposit) => deposit.accountId),
          deposits.map((deposit) => deposit.id),
        ]);
  return rows.map(transferFromRow);
}

/** The number of recorded payments in unlisted tokens per deposit; a deposit without any is absent. */
export async function countUnlisted(
  tx: Executor,
  deposits: readonly { readonly accountId: string; readonly depositId: string }[],
): Promise<Map<string, number>> {
  const distinct = [...new Map(deposits.map((deposit) => [deposit.depositId, deposit])).values()];
  const rows = await tx.query(countUnlistedStatement, [
    distinct.map(({ accountId }) => accountId),
    distinct.map(({ depositId }) => depositId),
  ]);
  return new Map(rows.map((row) => [row.deposit_id, Number(row.count)]));
}

/** Reserves ids for transfers. */
export async function reserveTransferIds(tx: Executor, count: number): Promise<readonly string[]> {
  if (count === 0) return [];
  const rows = await tx.query(reserveIds, [count]);
  return rows.map((row) => row.id);
}

/** How far each chain has been read; a chain that was never read is absent. */
export async function readTips(
  tx: Executor,
  chains: readonly string[],
): Promise<ReadonlyMap<string, ChainTip>> {
  if (chains.length === 0) return new Map();
  const rows = await tx.query(readTipsStatement, [chains]);
  return new Map(rows.flatMap(({ chain, ...tip }) => chainTipOf(tip).map((one) => [chain, one])));
}
