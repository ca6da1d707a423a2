import type { DatabaseMark } from "../../signer/protocol.ts";
import type { MarkRow, SequenceValues } from "./database-mark.store.ts";

/**
 * What comparing the marks of database and signer says about the database.
 *
 *
 * - `same`: the database in which the mark last advanced.
 * - `failedOver`: its promoted standby, which has everything that was acknowledged.
 * - `failedOverAsync`: a promoted standby that has everything up to the last mark, but may lack the second after it.
 * - `copy`: another cluster, database or table: a restored dump or a clone; or a recovery from archived files.
 * - `older`: the signer knows a later mark, or greater sequence values.
 * - `newer`: its mark advanced at least twice without the signer, whose folder is from an older backup or another deployment.
 */
export type MarkVerdict = "same" | "failedOver" | "failedOverAsync" | "copy" | "older" | "newer";

/** As shown to operators. */
export const verdictMessages: Readonly<Record<MarkVerdict, string>> = {
  same: "the database and the signer have the same mark",
  failedOver: "the database failed over to another server and lost nothing",
  failedOverAsync: "the database failed over to another server and may lack the last second",
  copy: "the database is a copy: a restored dump, a recovery from archived files, or a clone",
  older: "the database is older than the signer",
  newer: "the database is newer than the signer: the signer's folder is from an older backup",
};

/** Verdicts which mean that a part of the deployment was restored: payouts stay paused until an operator resumes them. */
const restoredVerdicts = ["copy", "older", "newer"] as const satisfies readonly MarkVerdict[];

export type RestoredVerdict = (typeof restoredVerdicts)[number];

/** Whether a part of the deployment was restored. */
export function isRestored(verdict: MarkVerdict): verdict is RestoredVerdict {
  return (restoredVerdicts as readonly MarkVerdict[]).includes(verdict);
}

/**
 * Compares the marks; pure. `known` is null if the signer has no mark.
 *
 * The mark advances every second in which a sequence moved, in the database first. So a database that lost a mark is older than
 * the signer, and one that lost only what came after the last mark has all marks. Two facts together prove that nothing after
 * it was lost: each commit waited for a standby when the mark last advanced, and this server received the log from a primary
 * until it was promoted.
 */
export function decideMark(
  row: MarkRow,
  numbers: SequenceValues,
  known: DatabaseMark | null,
): MarkVerdict {
  if (row.isCopy || isRecoveredFromArchive(row)) return "copy";
  if (known !== null && (isBehind(numbers, known) || row.generation < known.generation))
    return "older";
  if (row.isOwned && row.generation > (known?.generation ?? -1) + 1) return "newer";
  if (!row.isPromoted) return "same";
  return row.wasSynchronous ? "failedOver" : "failedOverAsync";
}

/**
 * Its timeline is new, and no primary sent it the log: a backup with archived files, which may end anywhere. The signer's mark
 * proves nothing then, because its folder may have been restored with it.
 */
function isRecoveredFromArchive({ isPromoted, hasStreamed }: MarkRow): boolean {
  return isPromoted && !hasStreamed;
}

/**
 * How many values of a sequence PostgreSQL writes to its log ahead of need (`SEQ_LOG_VALS`). A promoted standby begins after them. The
 * former primary, which joins as a standby and is promoted again, still has the last value that it issued itself: nothing between the
 * two was ever issued.
 */
const loggedAhead = 32n;

/** Sequence values reach the signer only after they were flushed, with the mark that was set after them. */
function isBehind(numbers: SequenceValues, known: DatabaseMark): boolean {
  return lagOf(numbers, known) > loggedAhead;
}

/** How far the sequence that is furthest behind the signer's values is behind; 0 if none is. */
export function lagOf(numbers: SequenceValues, known: DatabaseMark | null): bigint {
  return Object.entries(numbers).reduce((most, [name, number]) => {
    const lag = BigInt(known?.numbers[name] ?? "0") - BigInt(number);
    return lag > most ? lag : most;
  }, 0n);
}
