import type { Database } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { changesAtOnceMax } from "./enter-reports.ts";
import { readDueTransfers, type TransferReference } from "./incoming.store.ts";
import { type DepositContext, reconsider } from "./reconsider.ts";
import { readReportedDeposits } from "./report.store.ts";

/** Maximum changes of one deposit per transaction, unless all of its payments are needed. */
const changesPerDeposit = 500;

/** Maximum changes of several deposits per transaction. */
const changesPerTransaction = 500;

type Context = DepositContext & { readonly db: Database; readonly clock: Clock };

type Work = {
  readonly depositId: string;
  readonly due: readonly string[];
  readonly reports: number;
};

/**
 * Decides on what followers deferred: stored reports, and transfers whose due height their chain has reached. Deposits with few
 * changes are decided first and together; a large deposit is decided in parts, and new work of other deposits runs between its
 * parts. A locked deposit is tried again after each part of others, or in the next run. Returns the number of transactions.
 */
export async function decideReported(context: Context, signal: AbortSignal): Promise<number> {
  const left = new Set<string>();
  const turns = new Map<string, number>();
  let transactions = 0;
  while (!signal.aborted) {
    const work = (await findWork(context.db)).filter(({ depositId }) => !left.has(depositId));
    if (work.length === 0) break;
    let isMoving = false;
    for (const group of groupsOf(work, turns)) {
      transactions += 1;
      for (const { depositId } of group) turns.set(depositId, transactions);
      const moved = await decideGroup(context, group);
      for (const { depositId } of group) if (!moved.has(depositId)) left.add(depositId);
      isMoving ||= moved.size > 0;
    }
    // A deposit that was locked need not wait until thousands of payments to other deposits are decided.
    if (isMoving) left.clear();
  }
  return transactions;
}

async function findWork(db: Database): Promise<readonly Work[]> {
  const [reported, due] = await Promise.all([
    readReportedDeposits(db),
    readDueTransfers(db, changesPerDeposit),
  ]);
  const dueOf = Map.groupBy<string, TransferReference>(due, (row) => row.deposit_id);
  const counts = new Map(reported.map((row) => [row.deposit_id, Number(row.count)]));
  return [...new Set([...counts.keys(), ...dueOf.keys()])].map((depositId) => {
    const ids = (dueOf.get(depositId) ?? []).map(({ id }) => id);
    return { depositId, due: ids, reports: counts.get(depositId) ?? 0 };
  });
}

/** Deposits with few changes together, and one large deposit: the one whose last turn is the longest ago. */
function groupsOf(
  work: readonly Work[],
  turns: ReadonlyMap<string, number>,
): readonly (readonly Work[])[] {
  const groups: Work[][] = [];
  let room = 0;
  for (const reports of work.filter((each) => changesOf(each) <= changesAtOnceMax)) {
    if (changesOf(reports) > room) {
      groups.push([]);
      room = changesPerTransaction;
    }
    groups.at(-1)?.push(reports);
    room -= changesOf(reports);
  }
  const turnOf = ({ depositId }: Work): number => turns.get(depositId) ?? 0;
  const [next] = work
    .filter((each) => changesOf(each) > changesAtOnceMax)
    .toSorted((a, b) => turnOf(a) - turnOf(b));
  return next === undefined ? groups : [...groups, [next]];
}

function changesOf({ due, reports }: Work): number {
  return due.length + reports;
}

/** The deposits of the group that were not locked, so that something was decided. */
async function decideGroup(context: Context, group: readonly Work[]): Promise<ReadonlySet<string>> {
  const request = {
    depositIds: group.map(({ depositId }) => depositId),
    transferIds: group.flatMap(({ due }) => due),
    tips: new Map(),
    now: context.clock.now(),
    isImpatient: true,
    reportsMax: changesPerDeposit,
  };
  const decisions = await context.db.transaction((tx) =>
    reconsider(tx, context, request, (facts) => facts),
  );
  const reported = new Set(
    group.filter(({ reports }) => reports > 0).map(({ depositId }) => depositId),
  );
  return new Set(
    decisions
      .filter(
        ({ deposit, changedTransfers }) => changedTransfers.length > 0 || reported.has(deposit.id),
      )
      .map(({ deposit }) => deposit.id),
  );
}
