import type { Database, Executor } from "../../platform/db/database.ts";
import {
  addSeconds,
  type Clock,
  type Instant,
  secondsBetween,
} from "../../platform/kernel/clock.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import { type DatabaseMark, withinStep } from "../../signer/protocol.ts";
import type { SignerClient } from "../../signer/signer-client.ts";
import {
  admitDatabase,
  advanceMarkRow,
  advanceSequences,
  beginRecovery,
  endRecovery,
  lockMarkRow,
  type MarkRow,
  readDepositPace,
  readMarkRow,
  readSequences,
  resumeFollowers,
  retireAddresses,
  type SequenceValues,
  suspendFollowers,
} from "./database-mark.store.ts";
import { decideMark, type MarkVerdict, verdictMessages } from "./decide-mark.ts";

export type MarkContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signer: Pick<SignerClient, "readMark" | "mark">;
  /** Takes over everything that the signer has signed and the database does not know. */
  readonly adoptSigned: (signal: AbortSignal) => Promise<void>;
  /** Pauses all payouts until a person resumes them. */
  readonly pausePayouts: (tx: Executor, reason: string, now: Instant) => Promise<void>;
};

/**
 * How far beyond the newest number known each numbering goes on after a restore: more than can have been given out since the signer
 * last heard.
 */
const numberMargin = 1_000_000;

/** The same after a failover that may have lost what came after the last mark: more than any sequence gives out in that second. */
const failoverMargin = 10_000;

/** Addresses of each pool that such a failover retires at least: fewer than the 20 after which ordinary wallets stop looking. */
const failoverAddressesMin = 16;

/** Deposits within so many seconds are more than the lost second can have had. */
const paceSeconds = 10;

/** No mark was moved for so long although numbers were given out: how much came after it is not known. */
const markLateSeconds = 5;

/** No transaction that takes numbers is open for so long. */
const settleSeconds = 60;

/** Followers wait for so long at most while signed transactions are taken over; less than the hour above which a lease counts as wrong. */
const recoverySeconds = 1_800;

/**
 * Keeps the same mark in the database and with the signer, and finds by it that a part of the deployment was restored
 * (`judgeMark`). Payouts are paused then until a person resumes them. Of a database that is older or a copy, also the waiting
 * addresses are retired, every numbering goes on far above, and what the signer signed is taken over before anything is given out
 * and chains are read on. To be run again and again; safe to kill anywhere, and beside another. Rejects with `Unavailable` without
 * the signer or the database.
 *
 * The mark moves in the database first, then with the signer. Killed between the two, the database is one ahead, and the next
 * run tells the signer. The other way round, every such crash would look like a restore. The signer is asked first and the
 * database then, for the same reason: what moves in between makes the database the newer one.
 */
export async function syncMark(context: MarkContext, signal: AbortSignal): Promise<void> {
  const { db, signer, logger } = context;
  const known = await signer.readMark();
  const row = await readMarkRow(db);
  const numbers = await readSequences(db);
  const verdict = decideMark(row, numbers, known);
  if (verdict === "copy" || verdict === "older") await retire(context, known);
  else if (!row.isRecovering) {
    if (verdict === "newer") await pauseNewer(context, row, known);
    if (verdict === "failedOverAsync") await skipLastSecond(context, known);
    if (!row.isOwned || !row.isAdmitted || row.isPromoted) {
      if (!(await admitDatabase(db, known?.generation ?? 0))) return;
      logger.info("addresses and numbers are given out", { found: verdictMessages[verdict] });
    }
    await advanceMark(context, row, numbers, known);
    return;
  }
  await context.adoptSigned(signal);
  if (signal.aborted) return;
  await db.transaction(async (tx) => {
    const now = context.clock.now();
    await endRecovery(tx, now);
    await resumeFollowers(tx, now);
  });
  logger.warn(
    "the restored database has taken over what was signed; payouts stay paused until `sluice resume`",
  );
  await syncMark(context, signal);
}

/** Whether the database may be used: it is the one that the last mark was set in, and no recovery is under way. */
export async function isNewest({ db, signer }: MarkContext): Promise<boolean> {
  const known = await signer.readMark();
  const row = await readMarkRow(db);
  const isKept = row.isOwned && row.isAdmitted && !row.isRecovering;
  return isKept && decideMark(row, await readSequences(db), known) === "same";
}

/** Whether a sequence of the database stands above what is known of it. */
function hasMoved(numbers: SequenceValues, known: SequenceValues): boolean {
  return Object.entries(numbers).some(
    ([name, number]) => BigInt(number) > BigInt(known[name] ?? "0"),
  );
}

function pauseReason(verdict: MarkVerdict): string {
  return `${verdictMessages[verdict]}; \`sluice resume\` ends this`;
}

async function retire(context: MarkContext, known: DatabaseMark | null): Promise<void> {
  const { db, logger } = context;
  const retired = await db.transaction(async (tx) => {
    const row = await lockMarkRow(tx);
    const verdict = decideMark(row, await readSequences(tx), known);
    // Another worker was here first.
    if (verdict !== "copy" && verdict !== "older") return null;
    return { ...row, verdict, addresses: await retireLocked(tx, context, known, verdict) };
  });
  if (retired === null) return;
  logger.error(
    "a part of the deployment was restored: waiting addresses are retired, numbers go on above, payouts are paused",
    {
      found: verdictMessages[retired.verdict],
      addresses: retired.addresses,
      generation: retired.generation,
      signerGeneration: known?.generation ?? null,
    },
  );
}

async function retireLocked(
  tx: Executor,
  { clock, pausePayouts }: MarkContext,
  known: DatabaseMark | null,
  verdict: MarkVerdict,
): Promise<number> {
  const now = clock.now();
  await pausePayouts(tx, pauseReason(verdict), now);
  await beginRecovery(tx, known?.generation ?? 0, now);
  await suspendFollowers(tx, addSeconds(now, recoverySeconds), now);
  await advanceSequences(tx, known?.numbers ?? {}, numberMargin);
  return retireAddresses(tx, null);
}

/** What the signer forgot, the database knows; but what it signed after its backup and this database lost too, only the chain does. */
async function pauseNewer(
  { db, clock, logger, pausePayouts }: MarkContext,
  { generation }: MarkRow,
  known: DatabaseMark | null,
): Promise<void> {
  await db.transaction((tx) => pausePayouts(tx, pauseReason("newer"), clock.now()));
  logger.error("a part of the deployment was restored: payouts are paused", {
    found: verdictMessages.newer,
    generation,
    signerGeneration: known?.generation ?? null,
  });
}

/**
 * What may have been given out after the last mark is given out by nobody again: more than the busiest second of late took. Where
 * the mark had not moved for longer, the database counts as older.
 */
async function skipLastSecond(context: MarkContext, known: DatabaseMark | null): Promise<void> {
  const { db, logger } = context;
  const skipped = await db.transaction(async (tx) => {
    const row = await lockMarkRow(tx);
    if (decideMark(row, await readSequences(tx), known) !== "failedOverAsync") return null;
    const { newest, recent } = await readDepositPace(tx, paceSeconds);
    const isLate =
      newest !== null &&
      row.updatedAt !== null &&
      secondsBetween(row.updatedAt, newest) > markLateSeconds;
    if (isLate) return { addresses: await retireLocked(tx, context, known, "older") };
    await advanceSequences(tx, known?.numbers ?? {}, failoverMargin);
    const addresses = await retireAddresses(tx, Math.max(failoverAddressesMin, recent));
    await admitDatabase(tx, known?.generation ?? 0);
    return { addresses };
  });
  if (skipped === null) return;
  logger.warn("what the last second before the failover may have given out is skipped", {
    addresses: skipped.addresses,
    reason: "commits do not wait for a standby: synchronous_standby_names is empty",
  });
}

/**
 * Where nothing was given out since the last mark, none is set, but for one more a while after the last: a transaction that took its
 * number before that mark may have committed after a backup which holds the mark.
 */
async function advanceMark(
  { db, clock, signer }: MarkContext,
  row: MarkRow,
  numbers: SequenceValues,
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
  // A standby must not believe for long that commits still wait for it.
  const isOtherwise = row.isSynchronous !== row.wasSynchronous;
  if (!isMoved && !isToSettle && !isOtherwise) return;
  if (!(await advanceMarkRow(db, generation, !isMoved, now))) return;
  // Refused: another worker moved on meanwhile, or the database turned out to be older, which the next run finds.
  await signer.mark(withinStep(known, { generation: generation + 1, numbers }));
}
