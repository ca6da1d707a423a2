import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

/**
 * Why a node is doubted. `refused`: it gave an impossible answer. `disagrees`: it contradicts another node. `behind`: it is
 * not deep enough. `silent`: it does not answer.
 */
export type DoubtKind = "refused" | "disagrees" | "behind" | "silent";

export type Doubt = {
  readonly chain: string;
  readonly node: string;
  readonly kind: DoubtKind;
  /** For operators. */
  readonly reason: string;
  /** The block concerned; the newest one for pending transactions. */
  readonly height: number;
};

const note = statement<never>(
  "node-doubt.note",
  `insert into node_doubt (chain, node, kind, reason, height, since, seen_at) values ($1, $2, $3, $4, $5, $6, $6)
   on conflict (chain, node, kind) do update set reason = excluded.reason, height = excluded.height, seen_at = excluded.seen_at`,
);

const forget = statement<{ readonly node: string; readonly kind: string }>(
  "node-doubt.forget",
  `delete from node_doubt
   where chain = $1 and kind <> 'refused' and (node, kind) not in (select * from unnest($2::text[], $3::text[]))
   returning node, kind`,
);

/** Deletes the doubts of second opinions, except these. */
export async function clearOtherDoubts(
  db: Executor,
  chain: string,
  kept: readonly Doubt[],
): Promise<readonly { readonly node: string; readonly kind: string }[]> {
  return await db.query(forget, [
    chain,
    kept.map(({ node }) => node),
    kept.map(({ kind }) => kind),
  ]);
}

/** Records a doubt; a repeated one keeps the time of its first occurrence. */
export async function recordDoubt(db: Executor, doubt: Doubt, now: Instant): Promise<void> {
  const { chain, node, kind, reason, height } = doubt;
  await db.query(note, [chain, node, kind, reason, height, formatTimestamp(now)]);
}
