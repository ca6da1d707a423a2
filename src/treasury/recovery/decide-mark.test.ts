import { describe, expect, it } from "vitest";
import type { MarkRow } from "./database-mark.store.ts";
import { decideMark } from "./decide-mark.ts";

/* Verdicts that no server in a test run produces by itself; `failover.test.ts` promotes real ones. */

const row: MarkRow = {
  generation: 7,
  isSettled: true,
  isCopy: false,
  isPromoted: true,
  wasSynchronous: true,
  isSynchronous: true,
  hasStreamed: false,
  isOwned: true,
  isAdmitted: false,
  isRecovering: false,
  updatedAt: null,
};
const numbers = { payout_id_seq: "40" };

describe("a database recovered from archived files", () => {
  it("is a copy, whatever mark the signer has", () => {
    for (const generation of [2, 7, 8])
      expect(decideMark(row, numbers, { generation, numbers: {} })).toBe("copy");
    expect(decideMark(row, numbers, null)).toBe("copy");
  });

  it("differs from a standby that received the log until it was promoted", () => {
    const standby = { ...row, hasStreamed: true };
    expect(decideMark(standby, numbers, { generation: 7, numbers })).toBe("failedOver");
    const alone = { ...standby, wasSynchronous: false };
    expect(decideMark(alone, numbers, { generation: 7, numbers })).toBe("failedOverAsync");
    expect(decideMark(standby, numbers, { generation: 2, numbers })).toBe("newer");
    expect(decideMark(standby, numbers, { generation: 8, numbers })).toBe("older");
  });

  it("is no older than the values that another server logged ahead of need", () => {
    const standby = { ...row, hasStreamed: true };
    const known = (number: string) => ({ generation: 7, numbers: { payout_id_seq: number } });
    expect(decideMark(standby, numbers, known("72"))).toBe("failedOver");
    expect(decideMark(standby, numbers, known("73"))).toBe("older");
    const admitted = { ...standby, isPromoted: false };
    expect(decideMark(admitted, numbers, known("72"))).toBe("same");
    expect(decideMark(admitted, numbers, known("73"))).toBe("older");
  });
});
