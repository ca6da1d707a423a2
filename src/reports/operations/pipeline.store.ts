import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";

/** An unfinished spend with its newest transaction. */
export type SpendUnderWay = {
  readonly id: string;
  readonly chain: string;
  readonly kind: string;
  readonly state: "open" | "included";
  readonly attemptState: string;
  readonly attempts: number;
  readonly payouts: number;
  readonly txid: string | null;
  readonly broadcasts: number;
  /** The newest refusal by the node or the signer. */
  readonly refusal: string | null;
  readonly feeCurrency: string;
  /** Highest fee of its newest transaction. */
  readonly feeUnits: bigint;
  readonly confirmations: number;
  readonly blockHeight: number | null;
  readonly createdAt: Instant;
};

type Row = Omit<SpendUnderWay, "attempts" | "payouts" | "blockHeight"> & {
  readonly attempts: string;
  readonly payouts: string;
  readonly blockHeight: string | null;
};

// The pipeline bounds their number (payouts.in_flight_max per chain).
const read = statement<Row>(
  "operated-pipeline.read",
  `select s.id, s.chain, s.kind, s.state, a.state as "attemptState", n.attempts, a.txid, a.broadcasts, a.refusal,
     s.fee_currency as "feeCurrency", a.fee_units as "feeUnits", s.confirmations,
     s.block_height as "blockHeight", s.created_at as "createdAt",
     (select count(*) from payout p where p.spend_id = s.id) as payouts
   from spend s
   cross join lateral (select count(*) as attempts, max(number) as newest from spend_attempt t where t.spend_id = s.id) n
   join spend_attempt a on a.spend_id = s.id and a.number = coalesce(s.mined_attempt, n.newest)
   where s.state in ('open', 'included')
   order by s.id limit 2000`,
);

/** Every spend that is not confirmed deeply enough, oldest first. */
export async function readSpendsUnderWay(db: Executor): Promise<readonly SpendUnderWay[]> {
  const rows = await db.query(read);
  return rows.map((row) => ({
    ...row,
    attempts: Number(row.attempts),
    payouts: Number(row.payouts),
    blockHeight: row.blockHeight === null ? null : Number(row.blockHeight),
  }));
}
