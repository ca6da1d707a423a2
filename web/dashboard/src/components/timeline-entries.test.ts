import { describe, expect, it } from "vitest";
import { describeEntry, type Entry, groupEntries } from "./timeline-entries.ts";

const entry = (id: string, kind: string, at: string, more: object = {}): Entry =>
  ({
    type: "timeline-entry",
    id,
    attributes: {
      kind,
      at,
      status: null,
      attempt: null,
      status_code: null,
      message: null,
      member: null,
      ...more,
    },
  }) as unknown as Entry;

describe("groupEntries", () => {
  it("groups the ledger entries of one instant and leaves other entries alone", () => {
    const groups = groupEntries([
      entry("1", "posting", "b"),
      entry("2", "posting", "b"),
      entry("3", "posting", "a"),
      entry("4", "seen", "a"),
    ]);
    expect(groups.map(({ entries }) => entries.map(({ id }) => id))).toEqual([
      ["1", "2"],
      ["3"],
      ["4"],
    ]);
  });
});

describe("describeEntry", () => {
  it.each([
    ["Status: On hold", "attention", "deposit", entry("1", "status", "a", { status: "5" })],
    ["Status: Canceled", "neutral", "payout", entry("1", "status", "a", { status: "3" })],
    [
      "Webhook “Confirmed”, attempt 2: HTTP 500",
      "bad",
      "deposit",
      entry("1", "attempt", "a", { trigger: "confirmed", attempt: 2, status_code: 500 }),
    ],
    [
      "Webhook “Status changed”, attempt 1: Connection failed",
      "bad",
      "payout",
      entry("1", "attempt", "a", { trigger: "status", attempt: 1, message: "connect_failed" }),
    ],
    [
      "Webhook queued: Settled",
      "neutral",
      "payout",
      entry("1", "callback", "a", { trigger: "settled" }),
    ],
    ["Removed from its block by a reorg", "attention", "deposit", entry("1", "taken_back", "a")],
    ["Accepted by a team member", "good", "deposit", entry("1", "accepted", "a")],
    [
      "Accepted by Ada",
      "good",
      "deposit",
      entry("1", "accepted", "a", { member: { id: "7", name: "Ada" } }),
    ],
    [
      "Created by Ada",
      "neutral",
      "payout",
      entry("1", "created", "a", { member: { id: "7", name: "Ada" } }),
    ],
    ["Address activated", "good", "deposit", entry("1", "address_activated", "a")],
  ] as const)("returns the title %j with the tone %s", (title, tone, type, given) => {
    expect(describeEntry(given, type)).toEqual({ title, tone });
  });
});
