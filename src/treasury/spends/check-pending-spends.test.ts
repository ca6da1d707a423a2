import { describe, expect, it } from "vitest";
import { spendOf } from "../../../test/support/spend-records.ts";
import type { SpendStatus } from "../../chains/paying-port.ts";
import { isContradicted } from "./check-pending-spends.ts";

const conflicted = (by: string | null, height: number | null): SpendStatus => ({
  kind: "conflicted",
  by,
  block: height === null ? null : { height, hash: "h" },
});

describe("isContradicted", () => {
  it.each<[string, readonly SpendStatus[], boolean]>([
    ["is true if contradicted at the confirmation count of two", [conflicted("x", 9)], true],
    ["is false if contradicted by an unnamed transaction", [conflicted(null, 9)], false],
    ["is false below the confirmation count", [conflicted("x", 10)], false],
    ["is false for a block that we have not read", [conflicted("x", 11)], false],
    ["is false for an unknown block", [conflicted("x", null)], false],
    [
      "is false if contradicted by another attempt of the same spend",
      [conflicted("t2", 9), conflicted("x", 9)],
      false,
    ],
    [
      "is false if only one of two attempts is contradicted",
      [conflicted("x", 9), { kind: "unknown" }],
      false,
    ],
    ["is true if both attempts are contradicted", [conflicted("x", 9), conflicted("x", 9)], true],
    ["is false for an unknown transaction", [{ kind: "unknown" }], false],
    ["is false for a pending transaction", [{ kind: "pending" }], false],
    ["is false without any answer", [], false],
  ])("%s", (_what, statuses, expected) => {
    const spend = spendOf(statuses.map(() => "broadcast" as const));
    const answers = statuses.map((status, at) => ({ attempt: spend.attempts[at]!, status }));
    expect(isContradicted(spend, answers, 10)).toBe(expected);
  });

  it("is true for a sweep that an unnamed transaction contradicts", () => {
    const spend = spendOf(["broadcast"], { kind: "sweep" });
    const answers = [{ attempt: spend.attempts[0]!, status: conflicted(null, 9) }];
    expect(isContradicted(spend, answers, 10)).toBe(true);
  });

  it("is false if an attempt was added after the node was queried", () => {
    const known = spendOf(["broadcast"]);
    const answers = [{ attempt: known.attempts[0]!, status: conflicted("x", 1) }];
    expect(isContradicted(known, answers, 10)).toBe(true);
    expect(isContradicted(spendOf(["broadcast", "signed"]), answers, 10)).toBe(false);
  });
});
