import { timingSafeEqual } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { syncFolder, writeAtomically } from "../../platform/processes/write-atomically.ts";
import {
  type DatabaseMark,
  limitStep,
  type MarkOutcome,
  markStepMax,
  sequencesMax,
} from "../protocol.ts";
import { JournalDamaged, keyedSeal } from "./sealed-lines.ts";
import { createSerialQueue } from "./serial-queue.ts";

/**
 * How far the database had advanced when the signer last heard from it. A database behind this mark was restored from a backup,
 * or is a replica that had not received everything.
 */
export type MarkFile = {
  /** Null before the first mark. */
  readonly read: () => DatabaseMark | null;
  /**
   * Resolves once the mark is on the disk. Refuses a generation below the known one. A greater known number is kept, because what
   * was issued stays issued. Rejects with a `RangeError` for a mark further ahead than `limitStep`.
   */
  readonly move: (mark: DatabaseMark) => Promise<MarkOutcome>;
  /** Resolves when no write is in progress. */
  readonly close: () => Promise<void>;
};

/** Another place where the file's text is written before `move` resolves. */
export type MarkMirror = { readonly write: (text: string) => Promise<void> };

const title = "sluice database mark 1";

/**
 * Opens the file, a line `BODY SEAL` under the signer's `key` that is replaced as a whole; it does not exist before the first
 * mark. Rejects with `JournalDamaged` if the file was altered.
 */
export async function openMarkFile(
  path: string,
  key: Uint8Array,
  mirror: MarkMirror | null = null,
): Promise<MarkFile> {
  const seal = keyedSeal(key);
  let known = await readMarkFile(path, key);
  // The process that wrote it may have ended before it synced the folder.
  if (known !== null) await syncFolder(dirname(path));
  const inTurn = createSerialQueue();

  const move = async (mark: DatabaseMark): Promise<MarkOutcome> => {
    if (known !== null && mark.generation < known.generation) {
      return { kind: "refused", generation: known.generation };
    }
    assertWithinStep(known, mark);
    const advanced = { generation: mark.generation, numbers: greatest(known, mark) };
    const body = JSON.stringify(advanced);
    const text = `${body} ${seal(Buffer.from(body), title)}\n`;
    await writeAtomically(path, text);
    await mirror?.write(text);
    known = advanced;
    return { kind: "marked" };
  };

  return {
    read: () => known,
    move: (mark) => inTurn.run(() => move(mark)),
    close: () => inTurn.idle(),
  };
}

/** The mark in the file, null if there is none. Rejects with `JournalDamaged` unless the signer with this key wrote it. */
export async function readMarkFile(path: string, key: Uint8Array): Promise<DatabaseMark | null> {
  return existsSync(path) ? parseMarkText(await readFile(path, "utf8"), key, path) : null;
}

/** The text of the file in that folder; null before the first mark. */
export async function readMarkText(folder: string): Promise<string | null> {
  const path = join(folder, "database.mark");
  return existsSync(path) ? readFile(path, "utf8") : null;
}

/** The mark in a file's text. Throws `JournalDamaged` unless the signer with this key wrote it; `path` is for the message. */
export function parseMarkText(text: string, key: Uint8Array, path: string): DatabaseMark {
  const end = text.lastIndexOf(" ");
  const body = text.slice(0, Math.max(0, end));
  const expected = Buffer.from(`${keyedSeal(key)(Buffer.from(body), title)}\n`);
  const found = Buffer.from(text.slice(end + 1));
  if (expected.length !== found.length || !timingSafeEqual(expected, found)) {
    throw new JournalDamaged(`${path} belongs to another keystore, or was altered`);
  }
  return JSON.parse(body) as DatabaseMark;
}

function assertWithinStep(known: DatabaseMark | null, mark: DatabaseMark): void {
  const most = limitStep(known, mark);
  const names = Object.keys(mark.numbers);
  const far = names.find((name) => most.numbers[name] !== mark.numbers[name]);
  if (most.generation < mark.generation || far !== undefined) {
    const what = far ?? "generation";
    throw new RangeError(`the mark's ${what} is more than ${markStepMax} above the known one`);
  }
  if (new Set([...Object.keys(known?.numbers ?? {}), ...names]).size > sequencesMax)
    throw new RangeError(
      `the mark and the known one together name more than ${sequencesMax} sequences`,
    );
}

function greatest(known: DatabaseMark | null, { numbers }: DatabaseMark): DatabaseMark["numbers"] {
  const result: Record<string, string> = { ...known?.numbers };
  for (const [name, number] of Object.entries(numbers)) {
    if (BigInt(number) >= BigInt(result[name] ?? "0")) result[name] = number;
  }
  return result;
}
