import type { TimelineEntry } from "../../../../client/src/api-types.gen.ts";
import { t } from "../language/t.ts";
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
  deposit: { 2: t("Created"), 3: t("Paid"), 4: t("Canceled"), 5: t("On hold") },
  payout: { 1: t("Awaiting approval"), 2: t("Approved"), 3: t("Canceled") },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

const descriptions: Readonly<
  Record<Exclude<Kind, "status" | "attempt" | "callback">, Description>
> = {
  created: { title: t("Created"), tone: "neutral" },
  time_limit_changed: { title: t("Expiration changed"), tone: "neutral" },
  approved: { title: t("Approved"), tone: "good" },
  broadcast: { title: t("Sent to the network"), tone: "waiting" },
  seen: { title: t("Payment detected"), tone: "waiting" },
  in_block: { title: t("Included in a block"), tone: "waiting" },
  taken_back: { title: t("Removed from its block by a reorg"), tone: "attention" },
  refund_address_left: { title: t("Refund address provided"), tone: "neutral" },
  cancel_asked: { title: t("Canceled by a team member"), tone: "neutral" },
  expired: { title: t("Expired"), tone: "attention" },
  accepted: { title: t("Accepted by a team member"), tone: "good" },
  refunded: { title: t("Refunded"), tone: "neutral" },
  refund_undone: { title: t("Refund canceled, payment on hold again"), tone: "attention" },
  released: { title: t("Released by a team member"), tone: "good" },
  assigned: { title: t("Assigned by the operator"), tone: "good" },
  returns: { title: t("Returns an unattributed payment"), tone: "neutral" },
  posting: { title: t("Ledger entry"), tone: "neutral" },
  confirmed: { title: t("Confirmed"), tone: "good" },
  settled: { title: t("Settled"), tone: "good" },
  reversed: { title: t("Confirmation reversed"), tone: "bad" },
  cancelled: { title: t("Replaced by another transaction"), tone: "bad" },
  failed: { title: t("Failed"), tone: "bad" },
  blocked: { title: t("Held by screening"), tone: "bad" },
  dust: { title: t("Payment below minimum"), tone: "attention" },
  misplaced: { title: t("Wrong asset received"), tone: "attention" },
  address_activated: { title: t("Address activated"), tone: "good" },
};

/** The titles of entries whose member is known. */
const titlesWithMember: { readonly [Known in Kind]?: (name: string) => string } = {
  created: (name) => t("Created by {name}", { name }),
  approved: (name) => t("Approved by {name}", { name }),
  cancel_asked: (name) => t("Canceled by {name}", { name }),
  accepted: (name) => t("Accepted by {name}", { name }),
  refunded: (name) => t("Refunded by {name}", { name }),
  released: (name) => t("Released by {name}", { name }),
};

/** The title and the tone of a timeline entry. */
export function describeEntry({ attributes }: Entry, type: "deposit" | "payout"): Description {
  const { kind, status, trigger, attempt, status_code: code, message, member } = attributes;
  if (kind === "status") {
    const known: Readonly<Record<string, string>> = statuses[type];
    const isPaid = type === "deposit" && status === "3";
    const tone = isPaid ? "good" : type === "deposit" && status === "5" ? "attention" : "neutral";
    return { title: t("Status: {status}", { status: known[status ?? ""] ?? status ?? "" }), tone };
  }

  if (kind === "attempt") {
    const title = t("Webhook “{event}”, attempt {attempt}: {result}", {
      event: triggerLabel(trigger ?? ""),
      attempt: attempt ?? 0,
      result: attemptText(code, message),
    });
    return { title, tone: code === 200 ? "good" : "bad" };
  }
  if (kind === "callback")
    return {
      title: t("Webhook queued: {event}", { event: triggerLabel(trigger ?? "") }),
      tone: "neutral",
    };
  const description = descriptions[kind];
  const title = member === null ? undefined : titlesWithMember[kind]?.(member.name);
  return title === undefined ? description : { ...description, title };
}
