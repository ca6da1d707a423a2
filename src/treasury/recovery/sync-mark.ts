import type { Database, Executor } from "../../platform/db/database.ts";
import {
  addSeconds,
  type Clock,
  type Instant,
  secondsBetween,
} from "../../platform/kernel/clock.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import { type DatabaseMark, limitStep } from "../../signer/protocol.ts";
import type { SignerClient } from "../../signer/signer-client.ts";
import { compareMarks } from "./compare-marks.ts";
import {
  admitDatabase,
  advanceMarkRow,
  advanceSequences,
  beginRecovery,
  catchUpSequences,
  endRecovery,
  lockMarkRow,
  type MarkRow,
  readDepositPace,
  readSequences,
  resumeFollowers,
  retireAddresses,
  type SequenceValues,
  suspendFollowers,
} from "./database-mark.store.ts";
import { decideMark, lagOf, type MarkVerdict, verdictMessages } from "./decide-mark.ts";

export type MarkContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signer: Pick<SignerClient, "readMark" | "mark">;
  /** Adopts everything that the signer has signed and the database does not know. */
  readonly adoptSigned: (signal: AbortSignal) => Promise<void>;
  /** Pauses all payouts until a person resumes them. */
  readonly pausePayouts: (tx: Executor, reason: string, now: Instant) => Promise<void>;
};

/**
 * How far each sequence skips beyond its newest known value after a restore: more than can have been issued since the signer
 * last heard.
 */
const numberMargin = 1_000_000;

/** The same after a failover that may have lost what came after the last mark: more than any sequence issues in that second. */
const failoverMargin = 10_000;

/**
 * At least this many addresses per pool are retired after such a failover: fewer than the 20 after which common wallets stop
 * scanning.
 */
const failoverAddressesMin = 16;

/** The deposits of this many seconds are more than the lost second can have had. */
const paceSeconds = 10;

/** If no mark was set for this long although sequences moved, how much came after it is unknown. */
const markLateSeconds = 5;

/** No transaction that takes ids stays open this long. */
const settleSeconds = 60;

/**
 * Followers wait at most this long while signed transactions are adopted; less than the hour above which a lease counts as
 * wrong.
 */
const recoverySeconds = 1_800;

/**
 * Keeps the marks of database and signer the same, and recognizes by them that a part of the deployment was restored
 * (`decideMark`). Then payouts pause until a person resumes them. If the database is older or a copy, its waiting addresses are
 * retired, every sequence skips far ahead, and everything the signer signed is adopted before anything is issued or canceled or
 * any chain is read. After a failover that may lack the last second, the same happens with fewer numbers and without a pause.
 * Run it repeatedly; it may be killed anywhere and may run concurrently. Rejects with `Unavailable` without the signer
 * or the database.
 *
 * The mark advances in the database first, then in the signer. After a crash between the two, the database is one ahead, and
 * the next run tells the signer. In the other order, every such crash would look like a restore.
 */
export async function syncMark(context: MarkContext, signal: AbortSignal): Promise<void> {
  const { db, signer, logger } = context;
  const { verdict, row, numbers, known } = await compareMarks(db, signer);
  if (verdict === "copy" || verdict === "older") await retire(context, known);
  else if (verdict === "failedOverAsync" && !row.isRecovering) await skipLastSecond(context, known);
  else if (!row.isRecovering) {
    if (verdict === "newer") await pauseNewer(context, row, known);
    // Otherwise the mark would not advance before the values in between are used up.
    if (lagOf(numbers, known) > 0n) await catchUpSequences(db, known?.numbers ?? {});
    if (!row.isOwned || !row.isAdmitted || row.isPromoted) {
      if (!(await admitDatabase(db, known?.generation ?? 0))) return;
      logger.info("addresses and numbers are issued", { found: verdictMessages[verdict] });
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
    "the restored database has adopted the signed spends; paused payouts stay so until `sluice resume`",
  );
  await syncMark(context, signal);
}

/** Whether the database may be used: the last mark was set in it, and no recovery is in progress. */
export async function isNewest({ db, signer }: MarkContext): Promise<boolean> {
  const { verdict, row } = await compareMarks(db, signer);
  return row.isOwned && row.isAdmitted && !row.isRecovering && verdict === "same";
}

/** Whether a sequence of the database is above its known value. */
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
    // Another worker was first.
    if (verdict !== "copy" && verdict !== "older") return null;
    return { ...row, verdict, addresses: await retireLocked(tx, context, known, verdict) };
  });
  if (retired === null) return;
  logger.error(
    "a part of the deployment was restored: waiting addresses are retired, numbers skip ahead, payouts are paused",
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

/**
 * The database has what the signer lost. But what the signer signed after its backup, and this database lost too, only the chain
 * has.
 */
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
 * Skips what may have been issued after the last mark: more than the busiest recent second took. If the last mark is older than
 * that, the database counts as older. Then what was signed in that second is to be adopted: a payout whose draft is lost looks
 * as if it could still be canceled.
 */
async function skipLastSecond(context: MarkContext, known: DatabaseMark | null): Promise<void> {
  const { db, clock, logger } = context;
  const skipped = await db.transaction(async (tx) => {
    const now = clock.now();
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
    await beginRecovery(tx, known?.generation ?? 0, now);
    await suspendFollowers(tx, addSeconds(now, recoverySeconds), now);
    return { addresses };
  });
  if (skipped === null) return;
  logger.warn(
    "skipped addresses and ids that the last second before the failover may have issued",
    {
      addresses: skipped.addresses,
      reason: "commits do not wait for a standby: synchronous_standby_names is empty",
    },
  );
}

/**
 * Advances the mark if a sequence moved since the last one, and once more a while later: a transaction that took its id before
 * the last mark may have committed after a backup that contains the mark.
 */
async function advanceMark(
  { db, clock, signer }: MarkContext,
  row: MarkRow,
  numbers: SequenceValues,
  known: DatabaseMark | null,
): Promise<void> {
  const { generation } = row;
  // After a crash between the two writes, only values that a mark was set after are known to be flushed.
  if (known?.generation !== generation) {
    await signer.mark(limitStep(known, { generation, numbers: {} }));
    return;
  }
  const now = clock.now();
  const isMoved = hasMoved(numbers, known.numbers);
  const waited = row.updatedAt === null ? settleSeconds : secondsBetween(row.updatedAt, now);
  const isToSettle = !row.isSettled && (waited < 0 || waited >= settleSeconds);
  // A standby must not assume for long that commits still wait for it.
  const isOtherwise = row.isSynchronous !== row.wasSynchronous;
  if (!isMoved && !isToSettle && !isOtherwise) return;
  if (!(await advanceMarkRow(db, generation, !isMoved, now))) return;
  // Refused if another worker advanced it, or if the database turned out to be older, which the next run finds.
  await signer.mark(limitStep(known, { generation: generation + 1, numbers }));
}
