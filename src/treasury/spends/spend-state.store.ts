import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";

export type PipelineState = {
  readonly chain: string;
  readonly kind: string;
  /** The spend's state; for an open spend the state of its newest attempt. */
  readonly state: string;
  readonly count: number;
  /** When the oldest of them was created. */
  readonly oldestAt: Instant;
};

const read = statement<{
  readonly chain: string;
  readonly kind: string;
  readonly state: string;
  readonly count: string;
  readonly oldestAt: Instant;
}>(
  "spend-state.read",
  `select s.chain, s.kind,
     case when s.state = 'open' then (
       select a.state from spend_attempt a where a.spend_id = s.id order by a.number desc limit 1)
     else s.state end as state,
     count(*) as count, min(s.created_at) as "oldestAt"
   from spend s where s.state in ('open', 'included')
   group by 1, 2, 3 order by 1, 2, 3`,
);

/** Unfinished spends by chain, kind and state, for metrics. */
export async function readPipelineStates(db: Executor): Promise<readonly PipelineState[]> {
  const rows = await db.query(read);
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}
