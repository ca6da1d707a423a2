import type { SpendIntent } from "../intent.ts";
import {
  type LineFormat,
  type LineMirror,
  openSeal,
  openSealedLines,
  readSealedLines,
} from "./sealed-lines.ts";

/** A signing request and its outcome. Never contains keys, drafts or signed bytes. */
export type AuditEntry = {
  /** By the signer's clock, ISO 8601. */
  readonly time: string;
  /** Null if the request could not be read. */
  readonly kind: SpendIntent["kind"] | null;
  readonly chain: string | null;
  readonly spendId: string | null;
  readonly payoutIds: readonly string[];
  /**
   * `signed`: for the first time; `repeated`: the same as before; `refused`; `failed`: not answered; `found`: in the journal at
   * the start, after a crash between the journal and this log.
   */
  readonly outcome: "signed" | "repeated" | "refused" | "failed" | "found";
  readonly reason: string | null;
  readonly txid: string | null;
  /** Its sequence number in the journal of signed spends. */
  readonly sequence: number | null;
};

/** All requests in order, for people: append-only, each line with the hash of all lines before it. */
export type AuditLog = {
  /** The newest sequence number that the log contains; 0 before the first. */
  readonly newestSigned: () => number;
  readonly isEmpty: () => boolean;
  /** Throws if an earlier entry could not be written: then nothing that belongs here may happen. */
  readonly assertWritable: () => void;
  /** Resolves once the entry is on the disk. One call at a time. Rejects as `SealedLines.append` does. */
  readonly append: (entry: AuditEntry) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Longer reasons are cut: they may quote a draft. */
export const reasonLengthMax = 500;

/** The log's file. */
export const auditLogFormat = (path: string, mirror: LineMirror | null = null): LineFormat => ({
  path,
  header: JSON.stringify({ log: "sluice signer requests", version: 1 }),
  seal: openSeal,
  stranger: "another program",
  copyPath: null,
  mirror,
});

/** Opens the log, or creates it. Rejects with `JournalDamaged` if a line was altered, removed or added. */
export async function openAuditLog(
  path: string,
  mirror: LineMirror | null = null,
): Promise<AuditLog> {
  let newest = 0;
  let isEmpty = true;
  const track = ({ sequence }: AuditEntry): void => {
    isEmpty = false;
    newest = Math.max(newest, sequence ?? 0);
  };
  const lines = await openSealedLines(auditLogFormat(path, mirror), (body) => {
    track(JSON.parse(body) as AuditEntry);
  });
  return {
    newestSigned: () => newest,
    isEmpty: () => isEmpty,
    assertWritable: lines.assertWritable,
    append: async (entry) => {
      await lines.append(JSON.stringify(entry));
      track(entry);
    },
    close: () => lines.close(),
  };
}

/**
 * Checks the log without a key, as anyone can: rejects with `JournalDamaged`, naming the line, if one was altered, removed or
 * inserted. Resolves with the number of entries and the hash of the last one. Storing both elsewhere later reveals lines that
 * were cut off or rewritten. Changes nothing.
 */
export async function verifyAuditLog(
  path: string,
): Promise<{ readonly entries: number; readonly hash: string }> {
  let entries = 0;
  const hash = await readSealedLines(auditLogFormat(path), () => {
    entries += 1;
  });
  return { entries, hash };
}
