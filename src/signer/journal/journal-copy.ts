import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder } from "../../platform/processes/write-atomically.ts";
import { finishedLength } from "./torn-line.ts";

/** The copy holds more lines than the journal, or different ones. */
export class CopyMismatch extends Error {}

/** The bytes of a journal, on another disk. */
export type JournalCopy = {
  /** Resolves once the bytes are on the other disk. */
  readonly write: (line: Buffer, offset: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

const chunkLength = 1024 * 1024;

/**
 * Opens the copy of a journal whose valid lines are `length` bytes long, or creates it, and adds what it lacks. The journal is
 * written first, so a copy that holds more lines shows that the journal is from an older backup: rejects with `CopyMismatch` then,
 * and if the two differ. A torn last line, which a journal that was restored from this copy has lost, is cut off.
 */
export async function openJournalCopy(
  journal: { readonly path: string; readonly file: FileHandle; readonly length: number },
  copyPath: string,
): Promise<JournalCopy> {
  const copy = await open(copyPath, "a+", 0o600).then(async (file) => {
    await file.close();
    return open(copyPath, "r+");
  });
  try {
    const { size } = await copy.stat();
    const { length } = journal;
    if ((await finishedLength(readFrom(copy, length, size))) > 0) {
      throw new CopyMismatch(
        `${copyPath} holds more than ${journal.path}, which is from an older backup: put the copy in its place`,
      );
    }
    const same = await compare(journal, copy, copyPath, Math.min(size, length));
    if (size > length) await copy.truncate(length);
    for (let at = same; at < length; ) {
      const chunk = await readAt(journal.file, at, Math.min(chunkLength, length - at));
      await writeAll(copy, chunk, at);
      at += chunk.length;
    }
    await copy.datasync();
    await syncFolder(dirname(copyPath));
  } catch (error) {
    await copy.close();
    throw error;
  }
  return {
    write: async (line, offset) => {
      await writeAll(copy, line, offset);
      await copy.datasync();
    },
    close: () => copy.close(),
  };
}

async function* readFrom(file: FileHandle, offset: number, size: number): AsyncIterable<Buffer> {
  for (let at = offset; at < size; at += chunkLength)
    yield await readAt(file, at, Math.min(chunkLength, size - at));
}

/**
 * The length of the chunks that both begin with. A power failure may leave zeroes at the copy's end instead of what was written
 * there, or before a later part of it.
 */
async function compare(
  { path, file }: { readonly path: string; readonly file: FileHandle },
  copy: FileHandle,
  copyPath: string,
  size: number,
): Promise<number> {
  let same = 0;
  for (let at = 0; at < size; at += chunkLength) {
    const length = Math.min(chunkLength, size - at);
    const [one, other] = [await readAt(file, at, length), await readAt(copy, at, length)];
    if (one.equals(other)) {
      if (same === at) same += length;
    } else if (other.some((byte, index) => byte !== 0 && byte !== one[index])) {
      throw new CopyMismatch(`${copyPath} is not a copy of ${path}`);
    }
  }
  return same;
}

async function readAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}

async function writeAll(file: FileHandle, bytes: Buffer, offset: number): Promise<void> {
  const { bytesWritten } = await file.write(bytes, 0, bytes.length, offset);
  if (bytesWritten < bytes.length) throw new Error("the disk is full");
}
