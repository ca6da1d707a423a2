import { open } from "node:fs/promises";
import { join } from "node:path";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import { syncFolder, writeAtomically } from "../../platform/processes/write-atomically.ts";
import { auditLogFormat } from "../journal/audit-log.ts";
import { parseMarkText, readMarkText } from "../journal/database-mark.ts";
import { issueJournalFormat } from "../journal/issue-journal.ts";
import {
  JournalDamaged,
  type LineFormat,
  openSealedLines,
  readSealedLines,
  type SealedLines,
} from "../journal/sealed-lines.ts";
import { spendJournalFormat } from "../journal/spend-journal.ts";
import {
  type NewestWritten,
  type ReplicatedFile,
  replicatedFiles,
  sealsTold,
} from "./replica-protocol.ts";

/** A standby's copy of the active signer's files, in the same folder and with the same names as its own will have. */
export type Replica = {
  /** The newest seals of each file, the newest last. */
  readonly seals: () => Readonly<Record<ReplicatedFile, readonly string[]>>;
  /**
   * Appends the lines if the newest one has the seal `previous`, and resolves once they are on the disk. Rejects if they do not
   * follow, or were not sealed with this signer's keys. Does nothing if they were appended before.
   */
  readonly append: (
    file: ReplicatedFile,
    lines: {
      readonly previous: string;
      readonly lines: readonly string[];
      readonly seal: string;
    },
  ) => Promise<void>;
  /**
   * Moves what follows the line with that seal to `FILE.cut`. Rejects if none of the newest lines has it, and with `JournalDamaged` if
   * it fails: then the file cannot be used before the next start.
   */
  readonly cut: (file: ReplicatedFile, seal: string) => Promise<void>;
  readonly writeMark: (text: string) => Promise<void>;
  /** Whether it has all of that. */
  readonly holds: (newest: NewestWritten) => boolean;
  readonly close: () => Promise<void>;
};

type OpenFile = { readonly lines: SealedLines; readonly newest: string[] };

/** Opens the files, or creates them. Rejects with `JournalDamaged` if one was altered. One call of its methods at a time. */
export async function openReplica(options: {
  readonly folder: string;
  readonly copyFolder: string | null;
  readonly journalKey: Uint8Array;
  readonly spendJournalKey: Uint8Array;
  readonly markKey: Uint8Array;
}): Promise<Replica> {
  const { folder, copyFolder, journalKey, spendJournalKey, markKey } = options;
  const copyOf = (name: string): string | null =>
    copyFolder === null ? null : join(copyFolder, name);
  const formats: Readonly<Record<ReplicatedFile, LineFormat>> = {
    "issued.journal": issueJournalFormat(
      join(folder, "issued.journal"),
      journalKey,
      copyOf("issued.journal"),
    ),
    "spends.journal": spendJournalFormat(
      join(folder, "spends.journal"),
      spendJournalKey,
      copyOf("spends.journal"),
    ),
    "audit.log": auditLogFormat(join(folder, "audit.log")),
  };
  const files = new Map<ReplicatedFile, OpenFile>();
  let mark = await readMarkText(folder);
  const close = async (): Promise<void> => {
    for (const { lines } of files.values()) await lines.close();
    files.clear();
  };
  const fileOf = (name: ReplicatedFile): OpenFile => {
    const file = files.get(name);
    if (file === undefined) throw new Error(`${name} is not open`);
    return file;
  };
  try {
    for (const name of replicatedFiles) files.set(name, await openFile(formats[name]));
  } catch (error) {
    await close();
    throw error;
  }

  return {
    seals: () =>
      Object.fromEntries(
        replicatedFiles.map((name) => [name, [...fileOf(name).newest]]),
      ) as unknown as ReturnType<Replica["seals"]>,
    append: async (name, { previous, lines: bodies, seal }) => {
      const { lines, newest } = fileOf(name);
      if (lines.newestSeal() === seal) return;
      if (lines.newestSeal() !== previous) {
        throw new Error(`${name}: the lines do not follow from the newest one`);
      }
      for (const body of bodies) {
        await lines.append(body);
        keep(newest, lines.newestSeal());
      }
      if (lines.newestSeal() !== seal) throw new Error(`${name}: sealed with other keys`);
    },
    cut: async (name, seal) => {
      const { lines, newest } = fileOf(name);
      if (!newest.includes(seal)) throw new Error(`${name}: no recent line has the seal`);
      await lines.close();
      files.delete(name);
      try {
        await cutAfter(formats[name], seal);
        files.set(name, await openFile(formats[name]));
      } catch (error) {
        throw new JournalDamaged(`${name} cannot be cut: ${errorMessage(error)}`, { cause: error });
      }
    },
    writeMark: async (text) => {
      const path = join(folder, "database.mark");
      parseMarkText(text, markKey, path);
      await writeAtomically(path, text);
      mark = text;
    },
    holds: (newest) =>
      (newest.mark === null || newest.mark === mark) &&
      replicatedFiles.every((name) => {
        const seal = newest.seals[name];
        return seal === null || fileOf(name).newest.includes(seal);
      }),
    close,
  };
}

async function openFile(format: LineFormat): Promise<OpenFile> {
  const newest: string[] = [];
  const lines = await openSealedLines(format, (_body, _place, seal) => {
    keep(newest, seal);
  });
  // The header's seal comes first; a file without lines has no other.
  if (newest.length === 0) newest.push(lines.newestSeal());
  else if (newest.length < sealsTold) newest.unshift(format.seal(Buffer.from(format.header), ""));
  return { lines, newest };
}

function keep(newest: string[], seal: string): void {
  newest.push(seal);
  if (newest.length > sealsTold) newest.shift();
}

/** Both the file and its copy on another disk. The copy may lack the line, never hold more. */
async function cutAfter(format: LineFormat, seal: string): Promise<void> {
  const { path, copyPath } = format;
  let end = 0;
  await readSealedLines(format, (_body, { offset, length }, found) => {
    if (found === seal) end = offset + length + 1 + seal.length + 1;
  });
  if (end === 0) end = Buffer.byteLength(`${format.header} ${seal}\n`);
  for (const each of copyPath === null ? [path] : [copyPath, path]) {
    const file = await open(each, "r+");
    try {
      const { size } = await file.stat();
      if (size <= end) continue;
      const tail = Buffer.alloc(size - end);
      await file.read(tail, 0, tail.length, end);
      if (each === path) await writeAtomically(`${path}.cut`, tail);
      await file.truncate(end);
      await file.sync();
    } finally {
      await file.close();
    }
  }
  await syncFolder(join(path, ".."));
}
