import type { Executor } from "../../platform/db/database.ts";
import type { DatabaseMark } from "../../signer/protocol.ts";
import type { SignerClient } from "../../signer/signer-client.ts";
import {
  type MarkRow,
  readMarkRow,
  readSequences,
  type SequenceValues,
} from "./database-mark.store.ts";
import { decideMark, type MarkVerdict } from "./decide-mark.ts";

/** The marks and what comparing them says; `known` is the signer's, null if it has none. */
export type ComparedMarks = {
  readonly verdict: MarkVerdict;
  readonly row: MarkRow;
  readonly numbers: SequenceValues;
  readonly known: DatabaseMark | null;
};

/**
 * Reads both marks and compares them. The signer is read first: a mark that advances in between makes the database the newer one, never the
 * older one. It may advance several times while this process waits for the database. A mark is set in the database only when the signer has
 * the one before it, so the database counts as newer only if the signer still lacks marks when it is read once more; otherwise both
 * are read again. Throws `Unavailable` without the signer or the database.
 */
export async function compareMarks(
  db: Executor,
  signer: Pick<SignerClient, "readMark">,
): Promise<ComparedMarks> {
  for (;;) {
    const known = await signer.readMark();
    const row = await readMarkRow(db);
    const numbers = await readSequences(db);
    const verdict = decideMark(row, numbers, known);
    if (verdict !== "newer") return { verdict, row, numbers, known };
    const later = await signer.readMark();
    if (decideMark(row, numbers, later) === "newer") return { verdict, row, numbers, known: later };
  }
}
