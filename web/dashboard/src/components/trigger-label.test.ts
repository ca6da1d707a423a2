import { describe, expect, it } from "vitest";
import { triggerLabel } from "./trigger-label.ts";

describe("triggerLabel", () => {
  it.each([
    ["status", "Status changed"],
    ["reversed", "Reversed by a reorg"],
    ["confirmed", "Confirmed"],
    ["not_known_here", "Not known here"],
  ])("labels %s as %j", (trigger, label) => {
    expect(triggerLabel(trigger)).toBe(label);
  });
});
