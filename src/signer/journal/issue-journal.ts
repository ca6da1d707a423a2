import { type IssuedRange, issuedStepMax, type RecordOutcome } from "../protocol.ts";
import {
  keyedSeal,
  type LineFormat,
  type LineMirror,
  openSealedLines,
  readSealedLines,
} from "./sealed-lines.ts";
import { createSerialQueue } from "./serial-queue.ts";

/**
 * The signer's own record of issued addresses, independent of the database: a database restored from an older backup cannot
 * make it issue an address twice.
 */
export type IssueJournal = {
  /** The highest index recorded; null before the first. */
  readonly highest: (keyspace: string, addressType: string) => number | null;
  /**
   * Records a range; resolves once it is on the disk. Refuses a range that begins at or below the highest index. Rejects with a
   * `RangeError` for one that ends more than `issuedStepMax` above it: one request must not use up the addresses of a kind.
   */
  readonly record: (range: IssuedRange) => Promise<RecordOutcome>;
  readonly close: () => Promise<void>;
};

/** The journal's file. */
export const issueJournalFormat = (
  path: string,
  key: Uint8Array,
  copyPath: string | null = null,
  mirror: LineMirror | null = null,
): LineFormat => ({
  path,
  copyPath,
  mirror,
  header: JSON.stringify({ journal: "sluice issued addresses", version: 1 }),
  seal: keyedSeal(key),
  stranger: "another keystore",
});

/**
 * Opens the journal, or creates it: sealed lines under the signer's `key`, one range each. Rejects with `JournalDamaged` if the
 * file was altered.
 */
export async function openIssueJournal(
  path: string,
  key: Uint8Array,
  copyPath: string | null = null,
  mirror: LineMirror | null = null,
): Promise<IssueJournal> {
  const highest = new Map<string, number>();
  const lines = await openSealedLines(issueJournalFormat(path, key, copyPath, mirror), (body) => {
    const range = JSON.parse(body) as IssuedRange;
    highest.set(kindOf(range), range.last);
  });
  const inTurn = createSerialQueue();

  const append = async (range: IssuedRange): Promise<RecordOutcome> => {
    const known = highest.get(kindOf(range));
    if (known !== undefined && range.first <= known) return { kind: "refused", highest: known };
    const { keyspace, addressType, first, last } = range;
    const most = (known ?? -1) + issuedStepMax;
    if (last > most)
      throw new RangeError(
        `addresses ${first} to ${last} of ${kindOf(range)}: one request may record up to ${most}`,
      );
    await lines.append(JSON.stringify({ keyspace, addressType, first, last }));
    highest.set(kindOf(range), last);
    return { kind: "recorded" };
  };

  return {
    highest: (keyspace, addressType) => highest.get(kindOf({ keyspace, addressType })) ?? null,
    record: (range) => inTurn.run(() => append(range)),
    close: async () => {
      await inTurn.idle();
      await lines.close();
    },
  };
}

/** Rejects with `JournalDamaged` unless the journal was written by the signer with this key. Changes nothing. */
export async function verifyIssueJournal(path: string, key: Uint8Array): Promise<void> {
  await readSealedLines(issueJournalFormat(path, key), () => undefined);
}

function kindOf({ keyspace, addressType }: Pick<IssuedRange, "keyspace" | "addressType">): string {
  return `${keyspace}/${addressType}`;
}
