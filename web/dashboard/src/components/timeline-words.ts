import type { TimelineEntry } from "../../../../client/src/api-types.gen.ts";
import type { Tone } from "./status-badge.tsx";

export type Entry = TimelineEntry;

/** Entries that are shown together: the postings of one instant, or one entry of another kind. */
export type Moment = { readonly at: string; readonly entries: readonly [Entry, ...Entry[]] };

/** Gathers the movements in the books that one thing caused. */
export function gatherEntries(entries: readonly Entry[]): readonly Moment[] {
  const moments: Moment[] = [];
  for (const entry of entries) {
    const last = moments.at(-1);
    const isSame =
      last !== undefined &&
      entry.attributes.kind === "posting" &&
      last.entries[0].attributes.kind === "posting" &&
      last.at === entry.attributes.at;
    if (isSame) moments[moments.length - 1] = { ...last, entries: [...last.entries, entry] };
    else moments.push({ at: entry.attributes.at, entries: [entry] });
  }
  return moments;
}

type Words = { readonly title: string; readonly tone: Tone };
type Kind = Entry["attributes"]["kind"];

const statuses = {
  deposit: { 2: "Created", 3: "Paid", 4: "Canceled", 5: "Unresolved" },
  payout: { 1: "Waiting for approval", 2: "Approved", 3: "Canceled" },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

const words: Readonly<Record<Exclude<Kind, "status" | "callback" | "attempt">, Words>> = {
  created: { title: "Created", tone: "neutral" },
  time_limit_changed: { title: "Time limit changed", tone: "neutral" },
  approved: { title: "Approved", tone: "good" },
  broadcast: { title: "Sent to the network", tone: "waiting" },
  seen: { title: "Payment seen", tone: "waiting" },
  in_block: { title: "In a block", tone: "waiting" },
  taken_back: { title: "Taken back by a re-organisation", tone: "attention" },
  refund_address_left: { title: "The payer left an address to be paid back at", tone: "neutral" },
  cancel_asked: { title: "Cancelled by a member", tone: "neutral" },
  expired: { title: "Time limit ran out", tone: "attention" },
  accepted: { title: "Accepted by a member", tone: "good" },
  refunded: { title: "Refunded", tone: "neutral" },
  refund_undone: { title: "Refund undone: the payment waits again", tone: "attention" },
  released: { title: "Released by a member", tone: "good" },
  posting: { title: "Booked", tone: "neutral" },
  confirmed: { title: "Confirmed", tone: "good" },
  settled: { title: "Final by the currency's own count", tone: "good" },
  reversed: { title: "Confirmation taken back", tone: "bad" },
  cancelled: { title: "Another transaction took its place", tone: "bad" },
  failed: { title: "Failed", tone: "bad" },
  blocked: { title: "Held by screening", tone: "bad" },
  dust: { title: "Less than the minimum came", tone: "attention" },
  misplaced: { title: "Another asset came", tone: "attention" },
};

/** An entry as people read it. */
export function wordsOf({ attributes }: Entry, type: "deposit" | "payout"): Words {
  const { kind, status, attempt, status_code: code } = attributes;
  if (kind === "status") {
    const known: Readonly<Record<string, string>> = statuses[type];
    const isPaid = type === "deposit" && status === "3";
    const tone = isPaid ? "good" : type === "deposit" && status === "5" ? "attention" : "neutral";
    return { title: `Became ${known[status ?? ""] ?? status ?? ""}`, tone };
  }
  if (kind === "callback") {
    const tone = status === "delivered" ? "good" : status === "exhausted" ? "bad" : "waiting";
    return { title: `Callback made, now ${status ?? ""}`, tone };
  }
  if (kind === "attempt") {
    const answer = code === null ? "no answer" : `answered ${code}`;
    const title = `Callback sent, attempt ${attempt ?? 0}: ${answer}`;
    return { title, tone: code === 200 ? "good" : "bad" };
  }
  return words[kind];
}
