import { post } from "../../ledger/post.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { arrivingEntry } from "./arriving-entry.ts";
import type { PlacedTransfer, TransferReference } from "./incoming.store.ts";
import { type DepositContext, reconsider } from "./reconsider.ts";
import { insertWaitingReports, readBusyDeposits, type WaitingReport } from "./report.store.ts";
import type { Report } from "./report.ts";

/** Maximum changes of one deposit in the block's own transaction; a deposit with more of them is deferred. */
export const changesAtOnceMax = 200;

type RecordedReports = {
  readonly chain: string;
  readonly reports: readonly Report[];
  /** Transfers that change at the block's height. They need no report, because their due height marks them. */
  readonly due: readonly TransferReference[];
  /** The reported transfers that are already stored. */
  readonly known: readonly PlacedTransfer[];
  readonly tips: ReadonlyMap<string, number | null>;
  readonly now: Instant;
};

/**
 * Records a follower's reports in its transaction without waiting for locks. Unlocked deposits are decided at once. Reports of
 * other deposits (the deposit or its wallet's balance is locked, it has too many changes, or earlier reports wait) are stored and
 * decided by `decideReported`.
 */
export async function enterReports(
  tx: Executor,
  context: DepositContext,
  { reports, due, known, tips, now }: RecordedReports,
): Promise<void> {
  const changes = new Map<string, number>();
  for (const depositId of [
    ...reports.map((report) => report.depositId),
    ...due.map((row) => row.deposit_id),
  ]) {
    changes.set(depositId, (changes.get(depositId) ?? 0) + 1);
  }
  const busy = await readBusyDeposits(tx, [...changes.keys()]);
  const ready = new Set(
    [...changes]
      .filter(([depositId, count]) => count <= changesAtOnceMax && !busy.has(depositId))
      .map(([depositId]) => depositId),
  );
  const decisions = await reconsider(
    tx,
    context,
    {
      depositIds: [...ready],
      transferIds: due.filter((row) => ready.has(row.deposit_id)).map(({ id }) => id),
      reports: reports.filter(({ depositId }) => ready.has(depositId)),
      isImpatient: true,
      tips,
      now,
    },
    (facts) => facts,
  );
  const decided = new Set(decisions.map(({ deposit }) => deposit.id));
  await postpone(
    tx,
    reports.filter(({ depositId }) => !decided.has(depositId)),
    known,
    now,
  );
}

async function postpone(
  tx: Executor,
  reports: readonly Report[],
  known: readonly PlacedTransfer[],
  now: Instant,
): Promise<void> {
  if (reports.length === 0) return;
  const knownById = new Map(known.map((row) => [row.id, row]));
  const waiting = reports.map((report) => placed(report, knownById.get(report.transferId)));
  await insertWaitingReports(tx, waiting);
  await post(
    tx,
    waiting.flatMap((transfer) => arrivingEntry(transfer, 1n)),
    now,
  );
}

/** The report with its transfer's resulting state, and the change of what the chain holds. */
function placed(report: Report, known: PlacedTransfer | undefined): WaitingReport {
  const wasOnChain = known?.is_on_chain ?? false;
  const isOnChain = isOnChainAfter(report, wasOnChain);
  const money = moneyOf(report, known);
  const change = Number(isOnChain) - Number(wasOnChain);
  return {
    report,
    isOnChain,
    booked:
      money === null || change === 0 || money.units === 0n
        ? null
        : { currency: money.currency, units: money.units * BigInt(change) },
  };
}

/** A cancellation applies only to transfers outside blocks. */
function isOnChainAfter(report: Report, wasOnChain: boolean): boolean {
  switch (report.kind) {
    case "arrived":
      return report.block !== null || wasOnChain;
    case "orphaned":
      return false;
    case "cancelled":
      return wasOnChain;
  }
}

/** All that arrives, with what is withheld of it. */
function moneyOf(
  report: Report,
  known: PlacedTransfer | undefined,
): { readonly currency: CurrencyId; readonly units: bigint } | null {
  if (report.kind === "arrived") {
    const { asset } = report.hit.transfer;
    return asset.kind === "currency" ? asset.amount : null;
  }
  return known === undefined || known.currency === null
    ? null
    : { currency: known.currency as CurrencyId, units: known.arrived_units };
}
