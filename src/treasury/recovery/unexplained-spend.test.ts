import { describe, expect, it } from "vitest";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { type CandidatePayout, candidateIds, hiddenPayment } from "./unexplained-spend.ts";

const coin = "1010" as CurrencyId;
const token = "2900" as CurrencyId;
const findWatchKey = (_chain: string, address: string, tag: string | null): string | null =>
  address === "unknown" ? null : `${address}${tag === null ? "" : `:${tag}`}`;

const payout = (id: string, more: Partial<CandidatePayout> = {}): CandidatePayout => ({
  id,
  address: "exchange",
  tag: null,
  currency: coin,
  units: 5n,
  ...more,
});
const paid = (to: string, units = 5n, currency: CurrencyId | null = coin) => ({
  to,
  address: "exchange",
  currency,
  units,
  isOwn: false,
});

describe("candidateIds", () => {
  it("are the payouts with the receiver, its tag included, the currency and the amount of a payment", () => {
    const candidates = [
      payout("1"),
      payout("2", { tag: "111" }),
      payout("3", { tag: "222" }),
      payout("4", { tag: "111", units: 6n }),
      payout("5", { tag: "111", currency: token }),
      payout("6", { address: "unknown" }),
    ];
    const among = (...payments: ReturnType<typeof paid>[]) =>
      candidateIds({ chain: "XRP", payments, candidates }, findWatchKey);
    expect(among(paid("exchange:111"))).toEqual(["2"]);
    expect(among(paid("exchange"))).toEqual(["1"]);
    expect(among(paid("exchange:222"), paid("exchange:111", 5n, token))).toEqual(["3", "5"]);
    expect(among(paid("exchange:333"), paid("exchange:111", 5n, null))).toEqual([]);
  });

  it("are the payouts of no larger amount where receivers are hidden, or all while it is unknown", () => {
    const candidates = [payout("1"), payout("2", { units: 9n }), payout("3", { currency: token })];
    const among = (units: bigint) => {
      const payments = [{ ...hiddenPayment(coin, units), isOwn: false }];
      return candidateIds({ chain: "XMR", payments, candidates }, findWatchKey);
    };
    expect(among(8n)).toEqual(["1"]);
    expect(among(0n)).toEqual(["1", "2"]);
  });
});
