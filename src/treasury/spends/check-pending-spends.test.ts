import { expect, test } from "vitest";
import { spendOf } from "../../../test/support/spend-records.ts";
import type { SpendStatus } from "../../chains/paying-port.ts";
import { isContradicted } from "./check-pending-spends.ts";

/* A spend is given up only when everything of it is contradicted, by others, deep enough in blocks that we have read. */

const conflicted = (by: string | null, height: number | null): SpendStatus => ({
  kind: "conflicted",
  by,
  block: height === null ? null : { height, hash: "h" },
});

test.each<[string, readonly SpendStatus[], boolean]>([
  ["contradicted at the count of two", [conflicted("x", 9)], true],
  ["contradicted by somebody unnamed", [conflicted(null, 9)], true],
  ["contradicted below the count", [conflicted("x", 10)], false],
  ["contradicted in a block that we have not read", [conflicted("x", 11)], false],
  ["contradicted in a block that nobody knows", [conflicted("x", null)], false],
  ["contradicted by its own other attempt", [conflicted("t2", 9), conflicted("x", 9)], false],
  ["only one of two contradicted", [conflicted("x", 9), { kind: "unknown" }], false],
  ["both contradicted", [conflicted("x", 9), conflicted("x", 9)], true],
  ["unknown", [{ kind: "unknown" }], false],
  ["waiting", [{ kind: "pending" }], false],
  ["nothing asked", [], false],
])("%s", (_what, statuses, expected) => {
  const spend = spendOf(statuses.map(() => "broadcast" as const));
  const answers = statuses.map((status, at) => ({ attempt: spend.attempts[at]!, status }));
  expect(isContradicted(spend, answers, 10)).toBe(expected);
});

test("an attempt that was added since the node was asked keeps the spend alive", () => {
  const known = spendOf(["broadcast"]);
  const answers = [{ attempt: known.attempts[0]!, status: conflicted("x", 1) }];
  expect(isContradicted(known, answers, 10)).toBe(true);
  expect(isContradicted(spendOf(["broadcast", "signed"]), answers, 10)).toBe(false);
});
