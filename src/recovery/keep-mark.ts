import type { Database } from "../db/database.ts";
import { addSeconds, type Clock, secondsBetween } from "../kernel/clock.ts";
import type { Logger } from "../kernel/logger.ts";
import { type DatabaseMark, withinStep } from "../signer/protocol.ts";
import type { SignerClient } from "../signer/signer-client.ts";
import {
  admitDatabase,
  beginRecovery,
  endRecovery,
  freeChains,
  holdChains,
  lockMarkRow,
  type MarkRow,
  moveMarkRow,
  type Numbers,
  raiseNumbers,
  readMarkRow,
  readNumbers,
  retireAddresses,
} from "./database-mark.store.ts";

export type MarkContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signer: Pick<SignerClient, "readMark" | "mark">;
  /** Takes over everything that the signer has signed and the database does not know. */
  readonly adoptSigned: (signal: AbortSignal) => Promise<void>;
};

/**
 * How far beyond the newest number known each numbering goes on after a restore: more than can have been given out since the signer
 * last heard.
 */
const numberMargin = 1_000_000;

/** No transaction that takes numbers is open for so long. */
const settleSeconds = 60;

/** Followers wait for so long at most while signed transactions are taken over; less than the hour above which a lease counts as wrong. */
const recoverySeconds = 1_800;

/**
 * Keeps the same mark in the database and with the signer, and finds by it that the database was restored, cloned or failed over
 * since: then what waits in the pools is retired, every numbering goes on far above, what the signer signed is taken over, and only
 * after that anything is given out again and chains are read on. To be run again and again; safe to kill anywhere, and beside
 * another. Rejects with `Unavailable` without the signer or the database.
 *
 * The mark moves in the database first, then with the signer. Killed between the two, the database is one ahead, and the next
 * run tells the signer. The other way round, every such crash would look like a restore. The signer is asked first and the
 * database then, for the same reason: what moves in between makes the database the newer one.
 */
export async function keepMark(context: MarkContext, signal: AbortSignal): Promise<void> {
  const { db, signer, logger } = context;
  const known = await signer.readMark();
  const row = await readMarkRow(db);
  const numbers = await readNumbers(db);
  if (isOlder(row, numbers, known)) await retire(context, known);
  else if (!row.isRecovering) {
    if (!row.isOwned || !row.isAdmitted) {
      if (!(await admitDatabase(db, known?.generation ?? 0))) return;
      logger.info("the database is the newest one: addresses and numbers are given out");
    }
    await moveOn(context, row, numbers, known);
    return;
  }
  await context.adoptSigned(signal);
  if (signal.aborted) return;
  await db.transaction(async (tx) => {
    const now = context.clock.now();
    await endRecovery(tx, now);
    await freeChains(tx, now);
  });
  logger.warn("the restored database has taken over what was signed, and is used from now on");
  await keepMark(context, signal);
}

/** Whether the database may be used: it is the one that the last mark was set in, and no recovery is under way. */
export async function isNewest({ db, signer }: MarkContext): Promise<boolean> {
  const known = await signer.readMark();
  const row = await readMarkRow(db);
  const isKept = row.isOwned && row.isAdmitted && !row.isRecovering;
  return isKept && !isOlder(row, await readNumbers(db), known);
}

/**
 * A number that is lower than the signer knows it shows it too: numbers reach the signer after they reached the disk, with the
 * mark that was set after them.
 */
function isOlder(row: MarkRow, numbers: Numbers, known: DatabaseMark | null): boolean {
  if (row.isCopy) return true;
  if (known === null) return false;
  const isBehind = Object.entries(numbers).some(
    ([name, number]) => BigInt(number) < BigInt(known.numbers[name] ?? "0"),
  );
  return isBehind || row.generation < known.generation;
}

/** Whether a sequence of the database stands above what is known of it. */
function hasMoved(numbers: Numbers, known: Numbers): boolean {
  return Object.entries(numbers).some(
    ([name, number]) => BigInt(number) > BigInt(known[name] ?? "0"),
  );
}

async function retire(context: MarkContext, known: DatabaseMark | null): Promise<void> {
  const { db, clock, logger } = context;
  const retired = await db.transaction(async (tx) => {
    const row = await lockMarkRow(tx);
    // Another worker was here first.
    if (!isOlder(row, await readNumbers(tx), known)) return null;
    const now = clock.now();
    await beginRecovery(tx, known?.generation ?? 0, now);
    await holdChains(tx, addSeconds(now, recoverySeconds), now);
    const addresses = await retireAddresses(tx);
    await raiseNumbers(tx, known?.numbers ?? {}, numberMargin);
    return { ...row, addresses };
  });
  if (retired === null) return;
  logger.error(
    "the database was restored or replaced: its waiting addresses are retired, and numbers go on above",
    {
      addresses: retired.addresses,
      generation: retired.generation,
      signerGeneration: known?.generation ?? null,
      isCopy: retired.isCopy,
    },
  );
}

/**
 * Where nothing was given out since the last mark, none is set, but for one more a while after the last: a transaction that took its
 * number before that mark may have committed after a backup which holds the mark.
 */
async function moveOn(
  { db, clock, signer }: MarkContext,
  row: MarkRow,
  numbers: Numbers,
  known: DatabaseMark | null,
): Promise<void> {
  const { generation } = row;
  // Killed between the two: only numbers that a mark was set after are sure to have reached the disk.
  if (known?.generation !== generation) {
    await signer.mark(withinStep(known, { generation, numbers: {} }));
    return;
  }
  const now = clock.now();
  const isMoved = hasMoved(numbers, known.numbers);
  const waited = row.updatedAt === null ? settleSeconds : secondsBetween(row.updatedAt, now);
  const isToSettle = !row.isSettled && (waited < 0 || waited >= settleSeconds);
  if (!isMoved && !isToSettle) return;
  if (!(await moveMarkRow(db, generation, !isMoved, now))) return;
  // Refused: another worker moved on meanwhile, or the database turned out to be older, which the next run finds.
  await signer.mark(withinStep(known, { generation: generation + 1, numbers }));
}
