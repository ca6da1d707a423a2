import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { constants } from "node:os";
import { Readable } from "node:stream";

/*
 * A disk in memory behind the functions of `node:fs` that journals, backups and restores use. It keeps apart what was written and what
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
  /** What every operation waits for before it takes effect; it is named after what it does to which file. Null if it waits for nothing. */
  readonly pauseBefore: (pause: ((what: string) => Promise<void>) | null) => void;
  /** Whether the process has ended by itself. */
  readonly hasEnded: () => boolean;
  /** Loses what was not synced, wholly or in part, as `draw` decides. */
  readonly losePower: (draw: Draw) => void;
  /** Loses a whole file, as the failure of its disk does. */
  readonly loseFile: (path: string) => void;
  /** Lets the file grow by that many bytes only: what does not fit is not written, as on a disk that is almost full. */
  readonly limit: (path: string, bytes: number) => void;
  /** Loses a folder with all below it, and leaves it empty, as another disk in its place does. */
  readonly loseFolder: (path: string) => void;
  /** Writes a file that is safe at once. */
  readonly place: (path: string, text: string) => void;
  /** Remembers what is on the disk, as a snapshot of a running machine does. The result puts it back; other folders stay. */
  readonly remember: (folders: readonly string[]) => () => void;
  /** How many files and folders were opened and not closed. */
  readonly openFiles: () => number;
  readonly exists: (path: string) => boolean;
  readonly contains: (path: string, text: string) => boolean;
  /** The bytes of a file from the beginning, up to and including `end`. */
  readonly stream: (path: string, end: number) => AsyncIterable<Uint8Array>;
  readonly promises: Readonly<Record<(typeof replacedPromises)[number], Operation>>;
};

const replacedPromises = ["open", "readFile", "rename", "link", "rm", "mkdir", "readdir"] as const;

type Operation = (...given: never[]) => Promise<unknown>;

/** `draw` decides whether the operation during which a process ends still takes effect. */
export function createPowerLossDisk(draw: Draw): PowerLossDisk {
  const folders = new Map<string, Folder>();
  let process = { id: 0, end: null as number | null, operations: 0 };
  let openFiles = 0;
  let pause: ((what: string) => Promise<void>) | null = null;

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
  const act = async <Result>(id: number, what: string, effect: () => Result): Promise<Result> => {
    await pause?.(what);
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

  const openFile = (path: string, content: Content) => {
    const { id } = process;
    const save = () =>
      act(id, `sync ${nameOf(path)}`, () => {
        content.synced = Buffer.from(content.written);
      });
    return {
      read: (buffer: Buffer, offset: number, length: number, position: number) => {
        const bytes = content.written.subarray(position, position + length);
        return Promise.resolve({ buffer, bytesRead: bytes.copy(buffer, offset) });
      },
      stat: () => Promise.resolve({ size: content.written.length }),
      write: (bytes: Buffer, offset: number, length: number, position: number) =>
        act(id, `write ${nameOf(path)}`, () => {
          const bytesWritten = Math.min(length, content.lengthMax - position);
          const end = Math.max(content.written.length, position + bytesWritten);
          const written = Buffer.alloc(end);
          content.written.copy(written);
          bytes.copy(written, position, offset, offset + bytesWritten);
          content.written = written;
          return { bytesWritten };
        }),
      writeFile: async (given: string | Uint8Array | AsyncIterable<Uint8Array>) => {
        const bytes = await wholeOf(given);
        await act(id, `write ${nameOf(path)}`, () => {
          content.written = bytes;
        });
      },
      truncate: (length: number) =>
        act(id, `truncate ${nameOf(path)}`, () => {
          content.written = Buffer.from(content.written.subarray(0, length));
        }),
      sync: save,
      datasync: save,
      ...opened(),
    };
  };

  const openFolder = (path: string, folder: Folder) => {
    const { id } = process;
    return {
      sync: () =>
        act(
          id,
          `sync ${nameOf(path)}`,
          () => void folder.states.splice(0, folder.states.length - 1),
        ),
      ...opened(),
    };
  };

  const create = async (path: string) => {
    const empty = Buffer.alloc(0);
    const content: Content = { written: empty, synced: empty, lengthMax: Number.MAX_SAFE_INTEGER };
    await act(process.id, `create ${nameOf(path)}`, () => {
      changeEntries(path, (entries) => entries.set(path, content));
    });
    return openFile(path, content);
  };

  const exists = (path: string): boolean => folders.has(path) || newest(folderOf(path)).has(path);
  const foldersIn = (path: string): readonly (readonly [string, Folder])[] =>
    [...folders].filter(([name]) => `${name}/`.startsWith(`${path}/`));
  const loseFolder = (path: string): void => {
    for (const [name] of foldersIn(path)) folders.delete(name);
  };
  const place = (path: string, bytes: Buffer): void => {
    const folder = folderOf(path);
    const content = { written: bytes, synced: bytes, lengthMax: Number.MAX_SAFE_INTEGER };
    folder.states = [new Map([...newest(folder), [path, content]])];
  };
  const renameFolder = (from: string, to: string): void => {
    for (const [name, folder] of foldersIn(from)) {
      const moved = (path: string): string => `${to}${path.slice(from.length)}`;
      const states = folder.states.map(
        (entries) => new Map([...entries].map(([path, content]) => [moved(path), content])),
      );
      folders.delete(name);
      folders.set(moved(name), { states });
    }
  };

  return {
    startProcess: (end) => {
      process = { id: process.id + 1, end, operations: 0 };
    },
    pauseBefore: (given) => {
      pause = given;
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
    loseFolder: (path) => {
      loseFolder(path);
      folders.set(path, { states: [new Map()] });
    },
    place: (path, text) => {
      place(path, Buffer.from(text));
    },
    remember: (remembered) => {
      const files = remembered.flatMap((path) =>
        foldersIn(path).flatMap(([, folder]) =>
          [...newest(folder)].map(([name, { written }]) => [name, Buffer.from(written)] as const),
        ),
      );
      return () => {
        for (const path of remembered) loseFolder(path);
        for (const [name, bytes] of files) place(name, bytes);
      };
    },
    limit: (path, bytes) => {
      const content = find(path);
      content.lengthMax = content.written.length + bytes;
    },
    openFiles: () => openFiles,
    exists,
    contains: (path, text) => exists(path) && find(path).written.includes(text),
    stream: (path, end) => Readable.from([find(path).written.subarray(0, end + 1)]),
    promises: {
      open: async (path: string, flags: string) => {
        const folder = folders.get(path);
        if (folder !== undefined) return openFolder(path, folder);
        if (flags === "wx" && exists(path)) throw systemError("EEXIST", path);
        const mayCreate = flags === "wx" || flags === "a+";
        return mayCreate && !exists(path) ? create(path) : openFile(path, find(path));
      },
      readFile: (path: string, encoding: "utf8") =>
        Promise.resolve(find(path).written.toString(encoding)),
      rename: (from: string, to: string) => {
        if (folders.has(from))
          return act(process.id, `rename to ${nameOf(to)}`, () => {
            renameFolder(from, to);
          });
        const content = find(from);
        return act(process.id, `rename to ${nameOf(to)}`, () => {
          changeEntries(to, (entries) => {
            entries.delete(from);
            entries.set(to, content);
          });
        });
      },
      link: async (from: string, to: string) => {
        if (exists(to)) throw systemError("EEXIST", to);
        const content = find(from);
        await act(process.id, `link ${nameOf(to)}`, () => {
          changeEntries(to, (entries) => entries.set(to, content));
        });
      },
      rm: async (path: string) => {
        if (!exists(path)) return;
        await act(process.id, `remove ${nameOf(path)}`, () => {
          if (folders.has(path)) loseFolder(path);
          else changeEntries(path, (entries) => entries.delete(path));
        });
      },
      mkdir: async (path: string) => {
        if (folders.has(path)) return;
        await act(process.id, `create ${nameOf(path)}`, () => {
          folders.set(path, { states: [new Map()] });
        });
      },
      readdir: (path: string, options?: object) => {
        const names = foldersIn(path).flatMap(([, folder]) => [...newest(folder).keys()]);
        if (options === undefined) return Promise.resolve(names.map(lastPart));
        return Promise.resolve(
          names.map((name) => ({
            name: lastPart(name),
            parentPath: name.slice(0, name.lastIndexOf("/")),
            isFile: () => true,
          })),
        );
      },
    },
  };
}

async function wholeOf(given: string | Uint8Array | AsyncIterable<Uint8Array>): Promise<Buffer> {
  if (typeof given === "string") return Buffer.from(given);
  if (given instanceof Uint8Array) return Buffer.from(given);
  const chunks: Uint8Array[] = [];
  for await (const chunk of given) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * Passes what uses paths in these folders to the disk, in this thread; `restore` ends it. Native modules cannot be passed to
 * the journals as arguments without a parameter that only tests would use.
 */
export function replaceFileSystem(
  disk: () => PowerLossDisk,
  folders: readonly string[],
): { readonly restore: () => void } {
  const { promises, existsSync, createReadStream } = fs;
  const originals = { ...promises };
  const isOurs = (path: unknown): path is string =>
    typeof path === "string" && folders.some((folder) => `${path}/`.startsWith(folder));
  for (const name of replacedPromises) {
    const original = promises[name] as Operation;
    const replaced: Operation = (...given) =>
      isOurs(given[0]) ? disk().promises[name](...(given as [never, never])) : original(...given);
    Object.assign(promises, { [name]: replaced });
  }
  fs.existsSync = (path) => (isOurs(path) ? disk().exists(path) : existsSync(path));
  const streaming = (path: unknown, options?: { readonly end?: number }): unknown =>
    isOurs(path)
      ? disk().stream(path, options?.end ?? Number.POSITIVE_INFINITY)
      : createReadStream(path as string, options);
  Object.assign(fs, { createReadStream: streaming });
  syncBuiltinESMExports();
  return {
    restore: () => {
      Object.assign(promises, originals);
      Object.assign(fs, { existsSync, createReadStream });
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

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The last part of a path, without the random part of a draft's name. */
function nameOf(path: string): string {
  return lastPart(path).replace(/\.[0-9a-f-]{36}(\.new)/g, "$1");
}

function systemError(code: "ENOENT" | "EEXIST", path: string): Error {
  const error = new Error(`${code}: ${path}`);
  return Object.assign(error, { code, errno: -constants.errno[code] });
}
