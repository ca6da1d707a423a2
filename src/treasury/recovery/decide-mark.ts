import type { DatabaseMark } from "../../signer/protocol.ts";
import type { MarkRow, SequenceValues } from "./database-mark.store.ts";

/**
 * What the marks of database and signer say of the database.
 *
 * - `same`: the database in which the mark was last moved.
 * - `failedOver`: a standby of it that was promoted, and has everything that was acknowledged.
 * - `failedOverAsync`: a promoted standby that has all up to the last mark, but may lack the second after it.
 * - `copy`: another cluster, database or table: a dump that was restored, or a clone.
 * - `older`: the signer knows a later mark, or greater numbers.
 * - `newer`: it moved the mark at least twice without the signer, whose folder is from an older backup, or another one.
 */
export type MarkVerdict = "same" | "failedOver" | "failedOverAsync" | "copy" | "older" | "newer";

/** As operators read it. */
export const verdictMessages: Readonly<Record<MarkVerdict, string>> = {
  same: "the database and the signer have the same mark",
  failedOver: "the database failed over to another server and lost nothing",
  failedOverAsync: "the database failed over to another server and may lack the last second",
  copy: "the database is a copy: a restored dump or a clone",
  older: "the database is older than the signer",
  newer: "the database is newer than the signer: the signer's folder is from an older backup",
};

/** Verdicts on a deployment of which a part was restored: payouts stay paused until a person has looked. */
const restoredVerdicts = ["copy", "older", "newer"] as const satisfies readonly MarkVerdict[];

export type RestoredVerdict = (typeof restoredVerdicts)[number];

/** Whether a part of the deployment was restored. */
export function isRestored(verdict: MarkVerdict): verdict is RestoredVerdict {
  return (restoredVerdicts as readonly MarkVerdict[]).includes(verdict);
}

/**
 * Pure. `known` is null where the signer has no mark.
 *
 * The mark moves each second in which a number was given out, in the database first. So a database that lost a mark is older than
 * the signer, and one that lost only what came after the last mark has all marks. That nothing came after it, or was lost, is proved
 * by two facts together: each commit waited for a standby when the mark was last moved, and this server received the log from a
 * primary until it was promoted. A recovery to a point in time from archived files has received none.
 */
export function decideMark(
  row: MarkRow,
  numbers: SequenceValues,
  known: DatabaseMark | null,
): MarkVerdict {
  if (row.isCopy) return "copy";
  if (known !== null && (isBehind(numbers, known) || row.generation < known.generation))
    return "older";
  if (row.isOwned && row.generation > (known?.generation ?? -1) + 1) return "newer";
  if (!row.isPromoted) return "same";
  return row.wasSynchronous && row.hasStreamed ? "failedOver" : "failedOverAsync";
}

/** Numbers reach the signer after they reached the disk, with the mark that was set after them. */
function isBehind(numbers: SequenceValues, known: DatabaseMark): boolean {
  return Object.entries(numbers).some(
    ([name, number]) => BigInt(number) < BigInt(known.numbers[name] ?? "0"),
  );
}
