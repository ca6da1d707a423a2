import { unansweredMax } from "../../chains/paying-port.ts";
import type { Row } from "../../platform/db/columns.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId, Money } from "../../platform/kernel/money.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { readPauses } from "../controls/pause.store.ts";
import { type Payout, payoutColumns, payoutFromRow } from "../payout.ts";

/** Whether payouts of a chain are paused. */
export async function arePayoutsPaused(
  db: Executor,
  chain: string,
  now: Instant,
): Promise<boolean> {
  return (await readPauses(db, chain, now)).length > 0;
}

// Only an operator releases payouts with a red screening result, which sets `released_at`.
const readSendable = statement<Row>(
  "payout-send.read-sendable",
  `select ${payoutColumns} from payout p
   join wallet w on w.account_id = p.account_id and w.id = p.wallet_id
   where p.chain = $1 and p.stage = 'held' and not p.is_internal and not w.payouts_blocked
     and (p.risk_status in (1, 4) or (p.risk_status = 3 and p.released_at is not null)) and p.id > $2
   order by p.id limit $3`,
);

/** Payouts of a chain that may be sent, oldest first, after the given id. */
export async function readSendablePayouts(
  db: Executor,
  chain: string,
  afterId: string,
  limit: number,
): Promise<readonly Payout[]> {
  return (await db.query(readSendable, [chain, afterId, limit])).map(payoutFromRow);
}

const readUndone = statement<Row>(
  "payout-send.read-undone-of-stopped-wallets",
  `select ${payoutColumns} from payout p
   join wallet w on w.account_id = p.account_id and w.id = p.wallet_id
   where p.chain = $1 and p.stage = 'held' and p.spend_id is not null and w.payouts_blocked
   order by p.id limit $2`,
);

const lockStopped = statement<{ readonly id: string }>(
  "payout-send.lock-stopped-wallets",
  `select p.id from payout p join wallet w on w.account_id = p.account_id and w.id = p.wallet_id
   where p.chain = $1 and p.id = any($2::bigint[]) and w.payouts_blocked for share of w`,
);

/** Those of the payouts whose wallet is stopped, and stays so in this transaction. */
export async function lockStoppedOf(
  tx: Executor,
  chain: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  return (await tx.query(lockStopped, [chain, ids])).map(({ id }) => id);
}

/** Held payouts of stopped wallets that name a spend which failed because of another payment in it, oldest first. */
export async function readUndoneOfStoppedWallets(
  db: Executor,
  chain: string,
  limit: number,
): Promise<readonly Payout[]> {
  return (await db.query(readUndone, [chain, limit])).map(payoutFromRow);
}

const anythingToSend = statement<{ readonly found: boolean }>(
  "payout-send.anything-to-send",
  `select exists (select from spend where chain = $1 and state = 'open')
     or exists (select from payout where chain = $1 and stage = 'held' and not is_internal) as found`,
);

/** Whether a chain has payouts that wait to be sent, or transactions that no block contains. */
export async function isAnythingToSend(db: Executor, chain: string): Promise<boolean> {
  const [row] = await db.query(anythingToSend, [chain]);
  return row?.found ?? false;
}

const batchWaits = statement<{ readonly id: string; readonly seconds: number }>(
  "payout-send.batch-waits",
  `select id, payout_batch_seconds as seconds from account
   where id = any($1::bigint[]) and payout_batch_seconds > 0`,
);

/** How many seconds payouts of these accounts may wait for others, where that is not 0, by account id. */
export async function readBatchWaits(
  db: Executor,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (accountIds.length === 0) return new Map();
  const rows = await db.query(batchWaits, [accountIds]);
  return new Map(rows.map(({ id, seconds }) => [id, seconds]));
}

const readToScreen = statement<Row>(
  "payout-send.read-to-screen",
  `select ${payoutColumns} from payout p
   where p.risk_status = 2 and p.stage = 'held' and p.id > $1 order by p.id limit $2`,
);

/** Held payouts awaiting screening, oldest first, after the given id. */
export async function readPayoutsToScreen(
  db: Executor,
  afterId: string,
  limit: number,
): Promise<readonly Payout[]> {
  return (await db.query(readToScreen, [afterId, limit])).map(payoutFromRow);
}

const readByIds = statement<Row>(
  "payout-send.read-by-ids",
  `select ${payoutColumns} from payout p where p.id = any($1::bigint[]) order by p.id`,
);

/** The payouts with these ids, ordered by id. */
export async function readPayoutRows(
  db: Executor,
  ids: readonly string[],
): Promise<readonly Payout[]> {
  return ids.length === 0 ? [] : (await db.query(readByIds, [ids])).map(payoutFromRow);
}

const findOfSpends = statement<{ readonly id: string; readonly spendId: string }>(
  "payout-send.find-of-spends",
  `select id, spend_id as "spendId" from payout where spend_id = any($1::bigint[]) order by id`,
);

/** The payouts that the spends carry. */
export async function findPayoutsOfSpends(
  db: Executor,
  spendIds: readonly string[],
): Promise<readonly { readonly id: string; readonly spendId: string }[]> {
  return spendIds.length === 0 ? [] : db.query(findOfSpends, [spendIds]);
}

const findUnneeded = statement<{ readonly claim: string }>(
  "payout-send.find-unneeded-claims",
  `select c.claim from spend_claim c
   join spend s on s.id = c.spend_id
   join spend_attempt mined on mined.spend_id = s.id and mined.number = s.mined_attempt
   where s.chain = $1 and s.state = 'failed' and c.is_live and c.claim <> mined.draft->'claims'->>0
     and not exists (
       select from spend o join spend_attempt a on a.spend_id = o.id
       where o.chain = c.chain and o.state in ('open', 'included') and a.draft->'claims' ? c.claim)
     and not exists (
       select from payout p join spend_attempt a on a.spend_id = p.spend_id
       where p.chain = c.chain and p.stage = 'held' and a.draft->'claims' ? c.claim)`,
);

/** Claims that failed transactions left and with which no payout is paid again any more. */
export async function findUnneededClaims(db: Executor, chain: string): Promise<readonly string[]> {
  return (await db.query(findUnneeded, [chain])).map(({ claim }) => claim);
}

const ofStoppedWallets = statement<{ readonly spendId: string }>(
  "payout-send.of-stopped-wallets",
  `select distinct p.spend_id as "spendId" from payout p
   join wallet w on w.account_id = p.account_id and w.id = p.wallet_id
   where p.spend_id = any($1::bigint[]) and w.payouts_blocked`,
);

/** The given spends that carry a payout of a paused wallet. */
export async function findOfStoppedWallets(
  db: Executor,
  spendIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (spendIds.length === 0) return new Set();
  return new Set((await db.query(ofStoppedWallets, [spendIds])).map(({ spendId }) => spendId));
}

const onTheWay = statement<{ readonly address: string }>(
  "payout-send.addresses-on-the-way",
  `select p.address from spend s join payout p on p.spend_id = s.id
   where s.chain = $1 and s.state = 'open' and p.address = any($2::text[])
   union
   select address from payout
   where chain = $1 and stage = 'held' and spend_id is not null and address = any($2::text[])`,
);

/** Those of the addresses to which a transaction that no block contains yet pays, or one that is made again. */
export async function readAddressesOnTheWay(
  db: Executor,
  chain: string,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  if (addresses.length === 0) return new Set();
  const rows = await db.query(onTheWay, [chain, [...new Set(addresses)]]);
  return new Set(rows.map(({ address }) => address));
}

const sumDemand = statement<{ readonly currency: string; readonly units: bigint }>(
  "payout-send.sum-demand",
  `select currency, sum(units) as units from (
     select currency, paid_units as units from payout where chain = $1 and stage = 'held' and not is_internal
     union all
     select fee_currency, fee_units from payout where chain = $1 and stage = 'held' and not is_internal) as wanted
   group by currency having sum(units) > 0 order by currency`,
);

/** What the held payouts of a chain need, fees included, by currency. The sweeper collects it. */
export async function readPayoutDemand(db: Executor, chain: string): Promise<readonly Money[]> {
  const rows = await db.query(sumDemand, [chain]);
  return rows.map(({ currency, units }) => ({ units, currency: currency as CurrencyId }));
}

const readSince = statement<{ readonly chain: string }>(
  "payout-send.read-since",
  "select chain from chain_cursor where chain = $1 and caught_up_at >= $2::timestamptz",
);

/** Whether the chain was read to its node's newest block, mempool included, at that time or later. */
export async function wasReadSince(db: Executor, chain: string, since: Instant): Promise<boolean> {
  return (await db.query(readSince, [chain, formatTimestamp(since)])).length > 0;
}

const readPaid = statement<{ readonly isUnread: boolean; readonly isPaid: boolean }>(
  "payout-send.read-paid-unnoticed",
  `select
     exists (
       select from payout_stop s
       where s.kind = 'restore' and s.scope = 'chain/' || p.chain and not exists (
         select from chain_cursor c
         where c.chain = p.chain and c.caught_up_at >= s.created_at
           and (s.valid_until is null or c.block_time >= s.valid_until))) or exists (
       select from payout_stop s
       where s.kind = 'restore' and s.scope = 'chain/' || p.chain
         and exists (select from coin c where c.chain = p.chain and c.key_image is not null)
         and exists (
           select from coin c
           where c.chain = p.chain and c.key_image is null and c.spent_height is null and c.block_height is not null
             and coalesce(c.key_image_asked, 0) < ${unansweredMax})) as "isUnread",
     exists (
       select from unexplained_spend u, jsonb_to_recordset(u.payments) as paid ("to" text, address text, currency text, units numeric)
       where u.chain = p.chain and u.decided_at is null and paid.currency = p.currency and (
         paid.address = p.address and paid.units = p.paid_units
         or paid."to" = '' and (paid.units = 0 or paid.units >= p.paid_units))
         and not exists (select from spend_attempt a where a.chain = u.chain and a.txid = u.txid)) as "isPaid"
   from payout p where p.id = $1 and not p.is_internal`,
);

/**
 * Whether a transaction that no record explains may have paid the payout, and whether its chain has yet to be
 * searched for such transactions after a restore: where blocks name key images, until those of all coins are known that the wallets find.
 */
export async function readPaidUnnoticed(
  db: Executor,
  payoutId: string,
): Promise<{ readonly isUnread: boolean; readonly isPaid: boolean }> {
  const [row] = await db.query(readPaid, [payoutId]);
  return row ?? { isUnread: false, isPaid: false };
}
