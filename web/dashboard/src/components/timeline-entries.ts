import type { TimelineEntry } from "../../../../client/src/api-types.gen.ts";
import { attemptText } from "./attempt-text.ts";
import type { Tone } from "./status-badge.tsx";
import { triggerLabel } from "./trigger-label.ts";

export type Entry = TimelineEntry;

/** Entries that are shown together: the ledger entries of one instant, or one entry of another kind. */
export type EntryGroup = { readonly at: string; readonly entries: readonly [Entry, ...Entry[]] };

/** Groups consecutive ledger entries with the same timestamp. */
export function groupEntries(entries: readonly Entry[]): readonly EntryGroup[] {
  const groups: EntryGroup[] = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    const belongsToLast =
      last !== undefined &&
      isLedgerEntry(entry) &&
      isLedgerEntry(last.entries[0]) &&
      last.at === entry.attributes.at;
    if (belongsToLast) groups[groups.length - 1] = { ...last, entries: [...last.entries, entry] };
    else groups.push({ at: entry.attributes.at, entries: [entry] });
  }
  return groups;
}

/** Ledger entries are bookkeeping; the timeline shows them only on request. */
export function isLedgerEntry({ attributes }: Entry): boolean {
  return attributes.kind === "posting";
}

type Description = { readonly title: string; readonly tone: Tone };
type Kind = Entry["attributes"]["kind"];

const statuses = {
  deposit: { 2: "Created", 3: "Paid", 4: "Canceled", 5: "On hold" },
  payout: { 1: "Awaiting approval", 2: "Approved", 3: "Canceled" },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

const descriptions: Readonly<
  Record<Exclude<Kind, "status" | "attempt" | "callback">, Description>
> = {
  created: { title: "Created", tone: "neutral" },
  time_limit_changed: { title: "Expiration changed", tone: "neutral" },
  approved: { title: "Approved", tone: "good" },
  broadcast: { title: "Sent to the network", tone: "waiting" },
  seen: { title: "Payment detected", tone: "waiting" },
  in_block: { title: "Included in a block", tone: "waiting" },
  taken_back: { title: "Removed from its block by a reorg", tone: "attention" },
  refund_address_left: { title: "Refund address provided", tone: "neutral" },
  cancel_asked: { title: "Canceled by a team member", tone: "neutral" },
  expired: { title: "Expired", tone: "attention" },
  accepted: { title: "Accepted by a team member", tone: "good" },
  refunded: { title: "Refunded", tone: "neutral" },
  refund_undone: { title: "Refund canceled, payment on hold again", tone: "attention" },
  released: { title: "Released by a team member", tone: "good" },
  assigned: { title: "Assigned by the operator", tone: "good" },
  returns: { title: "Returns an unattributed payment", tone: "neutral" },
  posting: { title: "Ledger entry", tone: "neutral" },
  confirmed: { title: "Confirmed", tone: "good" },
  settled: { title: "Settled", tone: "good" },
  reversed: { title: "Confirmation reversed", tone: "bad" },
  cancelled: { title: "Replaced by another transaction", tone: "bad" },
  failed: { title: "Failed", tone: "bad" },
  blocked: { title: "Held by screening", tone: "bad" },
  dust: { title: "Payment below minimum", tone: "attention" },
  misplaced: { title: "Wrong asset received", tone: "attention" },
};

/** The title and the tone of a timeline entry. */
export function describeEntry({ attributes }: Entry, type: "deposit" | "payout"): Description {
  const { kind, status, trigger, attempt, status_code: code, message } = attributes;
  if (kind === "status") {
    const known: Readonly<Record<string, string>> = statuses[type];
    const isPaid = type === "deposit" && status === "3";
    const tone = isPaid ? "good" : type === "deposit" && status === "5" ? "attention" : "neutral";
    return { title: `Status: ${known[status ?? ""] ?? status ?? ""}`, tone };
  }

  if (kind === "attempt") {
    const title = `Callback “${triggerLabel(trigger ?? "")}”, attempt ${attempt ?? 0}: ${attemptText(code, message)}`;
    return { title, tone: code === 200 ? "good" : "bad" };
  }
  if (kind === "callback")
    return { title: `Callback queued: ${triggerLabel(trigger ?? "")}`, tone: "neutral" };
  return descriptions[kind];
}
