import { expect, test } from "vitest";
import { type Entry, gatherEntries, wordsOf } from "./timeline-words.ts";

const entry = (id: string, kind: string, at: string, more: object = {}): Entry =>
  ({
    type: "timeline-entry",
    id,
    attributes: { kind, at, status: null, attempt: null, status_code: null, ...more },
  }) as unknown as Entry;

test("the postings of one instant are one moment, everything else stands for itself", () => {
  const moments = gatherEntries([
    entry("1", "posting", "b"),
    entry("2", "posting", "b"),
    entry("3", "posting", "a"),
    entry("4", "seen", "a"),
  ]);
  expect(moments.map(({ entries }) => entries.map(({ id }) => id))).toEqual([
    ["1", "2"],
    ["3"],
    ["4"],
  ]);
});

test.each([
  [entry("1", "status", "a", { status: "5" }), "deposit", "Became Unresolved", "attention"],
  [entry("1", "status", "a", { status: "3" }), "payout", "Became Canceled", "neutral"],
  [
    entry("1", "attempt", "a", { attempt: 2, status_code: 500 }),
    "deposit",
    "Callback sent, attempt 2: answered 500",
    "bad",
  ],
  [
    entry("1", "attempt", "a", { attempt: 1 }),
    "payout",
    "Callback sent, attempt 1: no answer",
    "bad",
  ],
  [entry("1", "taken_back", "a"), "deposit", "Taken back by a re-organisation", "attention"],
] as const)("an entry reads as a sentence", (given, type, title, tone) => {
  expect(wordsOf(given, type)).toEqual({ title, tone });
});
