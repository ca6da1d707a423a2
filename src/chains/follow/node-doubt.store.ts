import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

/**
 * Why a node is not believed. `refused`: it gave an answer that no honest node gives. `disagrees`: it contradicts what another node
 * said. `behind`: it has not got as far. `silent`: it does not answer.
 */
export type DoubtKind = "refused" | "disagrees" | "behind" | "silent";

export type Doubt = {
  readonly chain: string;
  readonly node: string;
  readonly kind: DoubtKind;
  /** In words for operators. */
  readonly reason: string;
  /** The block that it is about; for pending transactions the newest one. */
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

/** Forgets what another node's word was missing for, except these. */
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

/** Puts on record why a node is not believed; seen again, it keeps the time of the first sighting. */
export async function recordDoubt(db: Executor, doubt: Doubt, now: Instant): Promise<void> {
  const { chain, node, kind, reason, height } = doubt;
  await db.query(note, [chain, node, kind, reason, height, formatTimestamp(now)]);
}
