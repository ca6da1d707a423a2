import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { constants } from "node:os";

/*
 * A disk in memory behind the functions of `node:fs/promises` that journals use. It keeps apart what was written and what
 * was synced, as POSIX allows: a file's bytes are safe after its own sync, its name only after its folder's.
 */

type Content = { written: Buffer; synced: Buffer; lengthMax: number };
type Entries = ReadonlyMap<string, Content>;
/** The entries after each change since the last sync, which made the first ones safe. */
type Folder = { states: Entries[] };

const noEntries: Entries = new Map();

/** A random number from 0 to below 1. */
type Draw = () => number;

/** The process ended in the middle of an operation on the disk. */
class ProcessEnded extends Error {
  override readonly name = "ProcessEnded";
}

export type PowerLossDisk = {
  /** Starts a process that ends during its operation number `end`, counted from 1; null: it does not end by itself. */
  readonly startProcess: (end: number | null) => void;
  /** Lets the running process end during an operation, counted from now; null: it does not end by itself. */
  readonly endAt: (end: number | null) => void;
  /** Whether the process has ended by itself. */
  readonly hasEnded: () => boolean;
  /** Loses what was not synced, wholly or in part, as `draw` decides. */
  readonly losePower: (draw: Draw) => void;
  /** Loses a whole file, as the failure of its disk does. */
  readonly loseFile: (path: string) => void;
  /** Lets the file grow by that many bytes only: what does not fit is not written, as on a disk that is almost full. */
  readonly limit: (path: string, bytes: number) => void;
  /** How many files and folders were opened and not closed. */
  readonly openFiles: () => number;
  readonly exists: (path: string) => boolean;
  readonly promises: Readonly<Record<"open" | "readFile" | "rename" | "link" | "rm", Operation>>;
};

type Operation = (...given: never[]) => Promise<unknown>;

/** `draw` decides whether the operation during which a process ends still takes effect. */
export function createPowerLossDisk(draw: Draw): PowerLossDisk {
  const folders = new Map<string, Folder>();
  let process = { id: 0, end: null as number | null, operations: 0 };
  let openFiles = 0;

  const folderOf = (path: string): Folder => {
    const name = path.slice(0, path.lastIndexOf("/"));
    const folder = folders.get(name) ?? { states: [new Map()] };
    folders.set(name, folder);
    return folder;
  };
  const newest = ({ states }: Folder): Entries => states.at(-1) ?? noEntries;
  const find = (path: string): Content => {
    const content = newest(folderOf(path)).get(path);
    if (content === undefined) throw systemError("ENOENT", path);
    return content;
  };
  const changeEntries = (
    path: string,
    change: (entries: Map<string, Content>) => unknown,
  ): void => {
    const folder = folderOf(path);
    const entries = new Map(newest(folder));
    change(entries);
    folder.states.push(entries);
  };

  /** What belongs to an ended process does nothing any more. */
  const act = async <Result>(id: number, effect: () => Result): Promise<Result> => {
    await Promise.resolve();
    if (id !== process.id || process.end === process.operations) throw new ProcessEnded();
    process.operations += 1;
    if (process.operations !== process.end) return effect();
    if (draw() < 0.5) effect();
    throw new ProcessEnded();
  };

  const opened = () => {
    openFiles += 1;
    return {
      close: () => {
        openFiles -= 1;
        return Promise.resolve();
      },
    };
  };

  const openFile = (content: Content) => {
    const { id } = process;
    const save = () =>
      act(id, () => {
        content.synced = Buffer.from(content.written);
      });
    return {
      read: (buffer: Buffer, offset: number, length: number, position: number) => {
        const bytes = content.written.subarray(position, position + length);
        return Promise.resolve({ buffer, bytesRead: bytes.copy(buffer, offset) });
      },
      stat: () => Promise.resolve({ size: content.written.length }),
      write: (bytes: Buffer, offset: number, length: number, position: number) =>
        act(id, () => {
          const bytesWritten = Math.min(length, content.lengthMax - position);
          const end = Math.max(content.written.length, position + bytesWritten);
          const written = Buffer.alloc(end);
          content.written.copy(written);
          bytes.copy(written, position, offset, offset + bytesWritten);
          content.written = written;
          return { bytesWritten };
        }),
      writeFile: (bytes: string | Uint8Array) =>
        act(id, () => {
          content.written = Buffer.from(bytes);
        }),
      truncate: (length: number) =>
        act(id, () => {
          content.written = Buffer.from(content.written.subarray(0, length));
        }),
      sync: save,
      datasync: save,
      ...opened(),
    };
  };

  const openFolder = (folder: Folder) => {
    const { id } = process;
    return {
      sync: () => act(id, () => void folder.states.splice(0, folder.states.length - 1)),
      ...opened(),
    };
  };

  const create = async (path: string) => {
    const empty = Buffer.alloc(0);
    const content: Content = { written: empty, synced: empty, lengthMax: Number.MAX_SAFE_INTEGER };
    await act(process.id, () => {
      changeEntries(path, (entries) => entries.set(path, content));
    });
    return openFile(content);
  };

  const exists = (path: string): boolean => newest(folderOf(path)).has(path);

  return {
    startProcess: (end) => {
      process = { id: process.id + 1, end, operations: 0 };
    },
    endAt: (end) => {
      process.end = end === null ? null : process.operations + end;
    },
    hasEnded: () => process.end === process.operations,
    losePower: (drawLoss) => {
      const kept = new Set<Content>();
      for (const folder of folders.values()) {
        const state = folder.states[Math.floor(drawLoss() * folder.states.length)] ?? noEntries;
        folder.states = [state];
        for (const content of state.values()) kept.add(content);
      }
      for (const content of kept) {
        content.written = afterLoss(content, drawLoss);
        content.synced = content.written;
      }
    },
    loseFile: (path) => {
      const folder = folderOf(path);
      const entries = new Map(newest(folder));
      entries.delete(path);
      folder.states = [entries];
    },
    limit: (path, bytes) => {
      const content = find(path);
      content.lengthMax = content.written.length + bytes;
    },
    openFiles: () => openFiles,
    exists,
    promises: {
      open: async (path: string, flags: string) => {
        const folder = folders.get(path);
        if (folder !== undefined) return openFolder(folder);
        if (flags === "wx" && exists(path)) throw systemError("EEXIST", path);
        const mayCreate = flags === "wx" || flags === "a+";
        return mayCreate && !exists(path) ? create(path) : openFile(find(path));
      },
      readFile: (path: string, encoding: "utf8") =>
        Promise.resolve(find(path).written.toString(encoding)),
      rename: (from: string, to: string) => {
        const content = find(from);
        return act(process.id, () => {
          changeEntries(to, (entries) => {
            entries.delete(from);
            entries.set(to, content);
          });
        });
      },
      link: async (from: string, to: string) => {
        if (exists(to)) throw systemError("EEXIST", to);
        const content = find(from);
        await act(process.id, () => {
          changeEntries(to, (entries) => entries.set(to, content));
        });
      },
      rm: async (path: string) => {
        if (!exists(path)) return;
        await act(process.id, () => {
          changeEntries(path, (entries) => entries.delete(path));
        });
      },
    },
  };
}

/**
 * Passes what uses paths in these folders to the disk, in this thread; `restore` ends it. Native modules cannot be passed to
 * the journals as arguments without a parameter that only tests would use.
 */
export function replaceFileSystem(
  disk: () => PowerLossDisk,
  folders: readonly string[],
): { readonly restore: () => void } {
  const { promises, existsSync } = fs;
  const originals = { ...promises };
  const isOurs = (path: unknown): path is string =>
    typeof path === "string" && folders.some((folder) => `${path}/`.startsWith(folder));
  for (const name of ["open", "readFile", "rename", "link", "rm"] as const) {
    const original = promises[name] as Operation;
    const replaced: Operation = (...given) =>
      isOurs(given[0]) ? disk().promises[name](...(given as [never, never])) : original(...given);
    Object.assign(promises, { [name]: replaced });
  }
  fs.existsSync = (path) => (isOurs(path) ? disk().exists(path) : existsSync(path));
  syncBuiltinESMExports();
  return {
    restore: () => {
      Object.assign(promises, originals);
      fs.existsSync = existsSync;
      syncBuiltinESMExports();
    },
  };
}

/**
 * The synced bytes, or the written ones, or the former followed by the beginning of the latter, by their end after zeroes, or by
 * zeroes of their length.
 */
function afterLoss({ written, synced }: Content, draw: Draw): Buffer {
  let shared = 0;
  while (shared < synced.length && written[shared] === synced[shared]) shared += 1;
  const rest = written.subarray(shared);
  const choice = Math.floor(draw() * 5);
  if (choice === 0) return synced;
  if (choice === 1) return written;
  if (synced.length > shared) return synced;
  if (choice === 2) return Buffer.concat([synced, zeroes(rest)]);
  const [start, end] = cut(rest, draw);
  return Buffer.concat(choice === 3 ? [synced, start] : [synced, zeroes(start), end]);
}

function cut(bytes: Buffer, draw: Draw): readonly [Buffer, Buffer] {
  const at = Math.floor(draw() * bytes.length);
  return [bytes.subarray(0, at), bytes.subarray(at)];
}

function zeroes({ length }: Buffer): Buffer {
  return Buffer.alloc(length);
}

function systemError(code: "ENOENT" | "EEXIST", path: string): Error {
  const error = new Error(`${code}: ${path}`);
  return Object.assign(error, { code, errno: -constants.errno[code] });
}
