import { describe, expect, it } from "vitest";
import { aDeposit } from "../../../test/support/deposit-records.ts";
import { payment } from "../../../test/support/deposit-world.ts";
import { dropExcess, trimOrigins, unlistedMax, unlistedOf } from "./limit-hits.ts";

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

  it("trims either of the two lists that is longer than its share", () => {
    // Two payments of one transaction share 20,000 entries.
    const [one, other] = fanOut(2, 10_000);
    const of = (addresses: number, claims: number) =>
      trimOrigins(
        [one!, other!].map((hit) => ({
          ...hit,
          senders: {
            addresses: Array.from({ length: addresses }, (_, index) => `payer${index}`),
            claims: Array.from({ length: claims }, (_, index) => `${index}`),
          },
        })),
      ).map(({ senders }) => [senders.addresses.length, senders.claims.length]);
    expect(of(10_000, 10_000)).toEqual([
      [10_000, 10_000],
      [10_000, 10_000],
    ]);
    expect(of(10_001, 5)).toEqual([
      [10_000, 5],
      [1, 5],
    ]);
    expect(of(5, 10_001)).toEqual([
      [5, 10_000],
      [5, 10_000],
    ]);
    expect(trimOrigins([one!])[0]).toBe(one);
  });
});

describe("unlisted tokens", () => {
  const token = (index: number, of = deposit) =>
    payment({ deposit: of, amount: "1", unlisted: "0xcafe", index });
  const coin = payment({ deposit, amount: "1" });

  it("are those that are not recorded yet", () => {
    const [first, second] = [token(1), token(2)];
    expect([...unlistedOf([first, coin, second], (hit) => hit === second)]).toEqual([first]);
  });

  it("are dropped beyond the maximum of each deposit, and nothing else is", () => {
    const other = { ...deposit, id: "6" };
    const [known, first, second, third] = [token(1), token(2), token(3), token(4, other)];
    const hits = [known, first, coin, second, third];
    const found = new Set([first, second, third]);
    const recorded = new Map([[deposit.id, unlistedMax - 1]]);
    expect(dropExcess(hits, found, recorded)).toEqual([known, first, coin, third]);
    expect(dropExcess(hits, found, new Map())).toEqual(hits);
    expect(recorded).toEqual(new Map([[deposit.id, unlistedMax - 1]]));
  });
});
