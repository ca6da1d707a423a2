import { describe, expect, it } from "vitest";
import { aDeposit } from "../../../test/support/deposit-records.ts";
import { payment } from "../../../test/support/deposit-world.ts";
import { trimOrigins } from "./limit-hits.ts";

const deposit = aDeposit();

function fanOut(outputs: number, inputs: number) {
  const names = Array.from({ length: inputs }, (_, index) => `${index}`);
  const senders = { addresses: names.map((name) => `payer${name}`), claims: names };
  return Array.from({ length: outputs }, (_, index) => ({
    ...payment({ deposit, amount: "1", txid: "fan", index }),
    senders,
  }));
}

describe("trimOrigins", () => {
  it("stores every input of a transaction with a single payment", () => {
    const hits = fanOut(1, 14_000);
    expect(trimOrigins(hits)).toEqual(hits);
    expect(trimOrigins(fanOut(20, 900))).toEqual(fanOut(20, 900));
  });

  it("distributes the senders of a transaction with many payments over its transfers", () => {
    const trimmed = trimOrigins(fanOut(1_612, 735));
    const kept = trimmed.flatMap(({ senders }) => [...senders.addresses, ...senders.claims]);
    expect(kept.length).toBeLessThanOrEqual(1_612 * 2 * 12);
    expect(new Set(trimmed.flatMap(({ senders }) => senders.addresses)).size).toBe(735);
    for (const { senders } of trimmed) {
      expect(senders.addresses.length).toBeGreaterThan(0);
      expect(senders.claims.slice(0, 10)).toEqual([
        "0",
        "1",
        "2",
        "3",
        "4",
        "5",
        "6",
        "7",
        "8",
        "9",
      ]);
    }
  });
});
