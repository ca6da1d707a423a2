import type { BlockRef, OutgoingPayment } from "../../chains/port.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import type { CandidatePayout, UnexplainedSpend } from "./unexplained-spend.ts";

/** What is stored when it is seen. */
export type SeenSpend = Pick<UnexplainedSpend, "txid" | "sender" | "claims" | "feeUnits"> & {
  readonly payments: readonly OutgoingPayment[];
};

const enterStatement = statement<{ readonly txid: string }>(
  "unexplained.enter",
  `insert into unexplained_spend as known
     (chain, txid, claims, payments, fee_units, block_height, block_hash, seen_at, sender)
   select $1, $2, $3::text[], $4::jsonb, $5::numeric, $6::bigint, $7, $8::timestamptz, $9
   where not exists (select from spend_attempt where chain = $1 and txid = $2)
   on conflict (chain, txid) do update
     set sender = excluded.sender, claims = excluded.claims, payments = excluded.payments, fee_units = coalesce(excluded.fee_units, known.fee_units),
       block_height = excluded.block_height, block_hash = excluded.block_hash
   returning txid`,
);

/** Stores a transaction; false if it belongs to a known spend. If it is seen again, its block, payments and fee are updated. */
export async function enterUnexplained(
  tx: Executor,
  chain: string,
  { txid, sender, claims, payments, feeUnits }: SeenSpend,
  block: BlockRef | null,
  now: Instant,
): Promise<boolean> {
  const stored = payments.map((payment) => ({ ...payment, units: payment.units.toString() }));
  const rows = await tx.query(enterStatement, [
    ...[chain, txid, claims, JSON.stringify(stored), feeUnits],
    ...[block?.height ?? null, block?.hash ?? null, formatTimestamp(now), sender],
  ]);
  return rows.length > 0;
}

const orphanStatement = statement<never>(
  "unexplained.orphan",
  `update unexplained_spend set block_height = null, block_hash = null
   where chain = $1 and block_height = $2 and block_hash = $3`,
);

/** Removes an orphaned block from its transactions. */
export async function orphanUnexplained(
  tx: Executor,
  chain: string,
  { height, hash }: Pick<BlockRef, "height" | "hash">,
): Promise<void> {
  await tx.query(orphanStatement, [chain, height, hash]);
}

type Row = {
  readonly chain: string;
  readonly txid: string;
  readonly sender: string | null;
  readonly claims: readonly string[];
  readonly payments: readonly {
    readonly to: string;
    readonly address: string;
    /** Absent from what older versions stored. */
    readonly tag?: string | null;
    readonly currency: string | null;
    readonly units: string;
    readonly is_own: boolean;
  }[];
  readonly fee_units: bigint | null;
  readonly block_height: string | null;
  readonly block_hash: string | null;
  readonly seen_at: Instant;
  readonly decided_at: Instant | null;
  readonly reason: string | null;
  readonly payout_ids: readonly string[];
  readonly candidates: readonly (Omit<CandidatePayout, "units"> & { readonly units: string })[];
};

/*
 * A transaction that was later found to belong to a spend of ours is explained: its journal came back, or it makes the same
 * payments as the spend it replaced.
 */
const unexplained = `
  select u.chain, u.txid, u.sender, u.claims, u.fee_units, u.block_height, u.block_hash, u.seen_at, u.decided_at, u.reason,
    u.payout_ids::text[] as payout_ids,
    (select coalesce(jsonb_agg(payment || jsonb_build_object('is_own',
         exists (select from treasury_address t where t.watch_key = payment ->> 'to')
         or exists (select from address a where a.watch_key = payment ->> 'to'))
       order by place), '[]')
     from jsonb_array_elements(u.payments) with ordinality as listed (payment, place)) as payments,
    (select coalesce(jsonb_agg(jsonb_build_object('id', p.id::text, 'address', p.address, 'tag', p.tag, 'currency', p.currency,
         'units', p.paid_units::text) order by p.id), '[]')
     from payout p
     where u.decided_at is null and p.chain = u.chain and not p.is_internal
       and p.stage in ('waiting', 'held', 'blocked', 'failed', 'sending')
       and exists (
         select from jsonb_to_recordset(u.payments) as paid ("to" text, address text, currency text, units numeric)
         where paid.currency = p.currency and (
           paid.address = p.address and paid.units = p.paid_units
           or paid."to" = '' and (paid.units = 0 or paid.units >= p.paid_units)))) as candidates
  from unexplained_spend u
  where not exists (select from spend_attempt s where s.chain = u.chain and s.txid = u.txid and u.decided_at is null)`;

const listStatement = statement<Row>(
  "unexplained.list",
  `${unexplained} order by u.decided_at is not null, u.seen_at desc, u.txid limit 1000`,
);

/** All of them, undecided ones first. */
export async function listUnexplained(db: Executor): Promise<readonly UnexplainedSpend[]> {
  return (await db.query(listStatement)).map(fromRow);
}

const lockStatement = statement<Row>(
  "unexplained.lock",
  `${unexplained} and u.chain = $1 and u.txid = $2 for update of u`,
);

/** One of them, locked for the rest of the transaction; null if there is none. */
export async function lockUnexplained(
  tx: Executor,
  chain: string,
  txid: string,
): Promise<UnexplainedSpend | null> {
  const [row] = await tx.query(lockStatement, [chain, txid]);
  return row === undefined ? null : fromRow(row);
}

const decideStatement = statement<never>(
  "unexplained.decide",
  `update unexplained_spend set decided_at = $3::timestamptz, reason = $4, payout_ids = $5::bigint[]
   where chain = $1 and txid = $2`,
);

/** Stores a person's decision. */
export async function saveDecision(
  tx: Executor,
  { chain, txid }: Pick<UnexplainedSpend, "chain" | "txid">,
  decision: {
    readonly reason: string;
    readonly payoutIds: readonly string[];
    readonly now: Instant;
  },
): Promise<void> {
  const { reason, payoutIds, now } = decision;
  await tx.query(decideStatement, [chain, txid, formatTimestamp(now), reason, payoutIds]);
}

const unreadStatement = statement<UnreadChain>(
  "unexplained.unread",
  `select asked.chain, case when c.chain is null then null else s.valid_until end as "validUntil"
   from unnest($1::text[]) as asked (chain)
   left join chain_cursor c on c.chain = asked.chain and c.caught_up_at >= $2::timestamptz
   left join payout_stop s on s.kind = 'restore' and s.scope = 'chain/' || asked.chain
   where c.chain is null or s.valid_until > coalesce(c.block_time, '-infinity')
   order by asked.chain`,
);

/** A chain that was not read far enough. */
export type UnreadChain = {
  readonly chain: string;
  /** When it was read to its node's newest block: until which time of its blocks a lost transaction may be mined. Else null. */
  readonly validUntil: Instant | null;
};

/**
 * Those of the chains that were not read to their node's newest block since then, or not past the time until which a transaction
 * that no record is left of may be mined.
 */
export async function findUnread(
  db: Executor,
  chains: readonly string[],
  since: Instant,
): Promise<readonly UnreadChain[]> {
  return await db.query(unreadStatement, [chains, formatTimestamp(since)]);
}

function fromRow(row: Row): UnexplainedSpend {
  const { block_height, block_hash } = row;
  return {
    chain: row.chain,
    txid: row.txid,
    sender: row.sender,
    claims: row.claims,
    payments: row.payments.map(({ is_own, currency, units, to, address, tag = null }) => ({
      to,
      address,
      tag,
      currency: currency as CurrencyId | null,
      units: BigInt(units),
      isOwn: is_own,
    })),
    feeUnits: row.fee_units,
    block:
      block_height === null || block_hash === null
        ? null
        : { height: Number(block_height), hash: block_hash },
    seenAt: row.seen_at,
    decidedAt: row.decided_at,
    reason: row.reason,
    payoutIds: row.payout_ids,
    candidates: row.candidates.map((payout) => ({ ...payout, units: BigInt(payout.units) })),
  };
}
