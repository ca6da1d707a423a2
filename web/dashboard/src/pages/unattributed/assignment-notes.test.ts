import { describe, expect, it } from "vitest";
import { assignmentNotes } from "./assignment-notes.ts";

// What the operator reads before assigning a payment of 10 that arrived at noon.

const payment = { amount: "10.000000", received_at: "2026-01-02T12:00:00.000000Z" };
const deposit = {
  status: 2,
  target_amount_requested: "10.000000",
  target_paid: "0.000000",
  created_at: "2026-01-02T11:00:00.000000Z",
  expires_at: "2026-01-02T13:00:00.000000Z",
};

const notesOf = (changes: Partial<Record<keyof typeof deposit, unknown>>, isSame = true) =>
  assignmentNotes(payment as never, { ...deposit, ...changes } as never, isSame).slice(2);

describe("assignmentNotes", () => {
  it.each([
    [{}, []],
    [{ target_amount_requested: null }, []],
    [{ target_paid: "4.000000" }, ["The amount differs from what is still due."]],
    [{ target_amount_requested: "10.5" }, ["The amount differs from what is still due."]],
    [
      { status: 3, target_paid: "10.000000" },
      [
        "The deposit is closed, so the payment will be on hold until its account accepts or refunds it.",
      ],
    ],
    [{ status: 5 }, ["The deposit is already on hold for another decision."]],
    [
      { expires_at: "2026-01-02T11:59:59.000000Z" },
      ["The payment arrived after the deposit expired, so it will be on hold."],
    ],
    [
      { created_at: "2026-01-02T12:00:01.000000Z" },
      ["The payment arrived before this deposit was created: it is probably for another one."],
    ],
  ])("says for %j: %j", (changes, notes) => {
    expect(notesOf(changes)).toEqual(notes);
  });

  it("compares no amounts of different currencies, and names the price", () => {
    expect(notesOf({ target_amount_requested: "3" }, false)).toEqual([]);
    const [, price] = assignmentNotes(payment as never, deposit as never, false);
    expect(price).toContain("at the current price");
  });
});
