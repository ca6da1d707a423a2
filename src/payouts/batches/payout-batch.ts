import {
  flag,
  id,
  instant,
  integer,
  json,
  type RecordOf,
  recordReader,
  text,
  units,
} from "../../platform/db/columns.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { PayoutState } from "../payout-state.ts";

/** How many payouts of a batch are in each state. */
type StateCounts = Readonly<Partial<Record<PayoutState, number>>>;

/** `dropped` counts the rows that were canceled before their payout was created. */
type BatchCounts = { readonly states: StateCounts; readonly dropped: number };

type StoredCounts = StateCounts & { readonly dropped?: number };

export const batchFields = {
  id: id("id"),
  reference: text("reference"),
  walletId: id("wallet_id"),
  currency: text<CurrencyId>("currency"),
  digest: text("digest"),
  rowCount: integer("row_count"),
  totalUnits: units("total_units"),
  needsApproval: flag("needs_approval"),
  /** Whether the total exceeded a limit when it was stored. */
  isAboveLimit: flag("is_above_limit"),
  createdByMemberId: id("created_by_member_id"),
  createdAt: instant("created_at"),
  counts: json(
    "counts",
    ({ dropped = 0, ...states }: StoredCounts): BatchCounts => ({ states, dropped }),
    ({ states, dropped }): StoredCounts => ({ ...states, dropped }),
  ),
};

/** A batch with its payouts by state; `digest` in hex. */
export type PayoutBatch = RecordOf<typeof batchFields>;

export const batchFromRow = recordReader(batchFields);

/** What people read as a batch's status. */
export const batchStates = [
  { value: "incomplete", name: "Incomplete: upload the file again to create the missing payouts" },
  { value: "needs_approval", name: "Needs approval" },
  { value: "in_progress", name: "In progress" },
  { value: "completed", name: "Every payout is confirmed, failed or canceled" },
] as const;

export type BatchState = (typeof batchStates)[number]["value"];

/** The number of payouts that exist. */
export function createdOf({ counts }: Pick<PayoutBatch, "counts">): number {
  return Object.values(counts.states).reduce((sum, count) => sum + count, 0);
}

/** Whether no more payouts are created for it: its other rows were canceled, or all payouts that exist. */
export function isCanceled(batch: Pick<PayoutBatch, "counts">): boolean {
  const { states, dropped } = batch.counts;
  const created = createdOf(batch);
  return dropped > 0 || (created > 0 && states.canceled === created);
}

/** Derives the state from the payouts. Pure. */
export function stateOfBatch(batch: Pick<PayoutBatch, "counts" | "rowCount">): BatchState {
  const { states } = batch.counts;
  const created = createdOf(batch);
  if (created < batch.rowCount && !isCanceled(batch)) return "incomplete";
  if ((states.needs_approval ?? 0) > 0) return "needs_approval";
  const ended = (states.confirmed ?? 0) + (states.failed ?? 0) + (states.canceled ?? 0);
  return ended < created ? "in_progress" : "completed";
}

/** A row of a batch as members see it; `payout` is null until it exists. */
export type ShownBatchRow = {
  readonly number: number;
  readonly payout: {
    readonly id: string;
    readonly state: PayoutState;
    /** In the payment currency, as `commissionUnits`. */
    readonly units: bigint;
    readonly commissionUnits: bigint;
    /** In the chain's coin. */
    readonly feeUnits: bigint;
    readonly address: string | null;
    readonly tag: string | null;
    readonly label: string | null;
    readonly travelRuleSealed: Uint8Array;
  } | null;
};
