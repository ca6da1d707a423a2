import { type Executor, statement } from "../../src/platform/db/database.ts";

const scannedRangesStatement = statement<{ from: string; to: string }>(
  "follower.scanned-ranges",
  `select from_height as "from", to_height as "to" from scanned_range
   where chain = $1 order by from_height`,
);

/** Every height that was scanned, as ranges in ascending order that neither overlap nor touch. */
export async function scannedRanges(
  db: Executor,
  chain: string,
): Promise<readonly { readonly from: number; readonly to: number }[]> {
  const rows = await db.query(scannedRangesStatement, [chain]);
  return rows.map(({ from, to }) => ({ from: Number(from), to: Number(to) }));
}
