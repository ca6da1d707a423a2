import { describe, expect, it } from "vitest";
import { DepositHistory } from "../../../test/support/deposit-history.ts";
import { aDeposit, blockAt, someTime } from "../../../test/support/deposit-records.ts";
import { bnb, payment, usd } from "../../../test/support/deposit-world.ts";
import { fc } from "../../../test/support/property.ts";
import { walletType } from "../../accounts/wallets/wallet.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { type Deposit, noSums } from "../deposit.ts";
import { riskStatus, type TransferRecord } from "../transfers/transfer.ts";
import {
  cancelTransfer,
  includeTransfer,
  orphanTransfer,
  reviveTransfer,
} from "./transfer-changes.ts";

/* Random sequences of events on deposits: the books match the transfers, and each callback has a unique key. */

type TransferFact = {
  readonly do:
    | "include"
    | "orphan"
    | "conflict"
    | "revive"
    | "screenRed"
    | "screenGreen"
    | "release";
  readonly which: number;
};

type Fact =
  | TransferFact
  | {
      readonly do: "arrive";
      readonly amount: number;
      readonly where: "block" | "mempool";
      readonly kind: string;
    }
  | { readonly do: "grow" | "cancel" | "accept" | "end" };

const fact: fc.Arbitrary<Fact> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("arrive" as const),
      amount: fc.integer({ min: 1, max: 150 }),
      where: fc.constantFrom("block" as const, "mempool" as const),
      kind: fc.constantFrom("plain", "plain", "queued", "dust", "misplaced", "unlisted"),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom(
        ...([
          "include",
          "orphan",
          "conflict",
          "revive",
          "screenRed",
          "screenGreen",
          "release",
        ] as const),
      ),
      which: fc.nat(5),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom(...(["grow", "grow", "grow", "cancel", "accept", "end"] as const)),
    }),
  },
);

function enter(history: DepositHistory, next: Fact, id: string): void {
  const { deposit } = history;
  if ("which" in next) {
    history.changeTransfer(String(next.which), (transfer) => applyFact(next.do, transfer, history));
    return;
  }
  switch (next.do) {
    case "arrive":
      history.arrive(
        `0.${String(next.amount).padStart(3, "0")}`,
        id,
        next.where === "block" ? history.tip : null,
        {
          firstSeenAt: history.now,
          ...(next.kind === "queued" ? { riskStatus: riskStatus.queued } : {}),
          ...(next.kind === "dust" ? { opType: 15 as const, units: 5n } : {}),
          ...(next.kind === "misplaced" ? { currency: bnb } : {}),
          ...(next.kind === "unlisted" ? { currency: null, assetLocator: "0xcafe" } : {}),
        },
      );
      return;
    case "grow":
      history.grow();
      return;
    case "cancel":
      history.step(undefined, { deposit: { cancelledAt: deposit.cancelledAt ?? history.now } });
      return;
    case "accept":
      history.step(undefined, { deposit: { acceptedAt: history.now } });
      return;
    case "end":
      history.step(undefined, { deposit: { expiryConcludedAt: history.now } });
      return;
  }
}

function applyFact(
  what: TransferFact["do"],
  transfer: TransferRecord,
  history: DepositHistory,
): TransferRecord {
  const hit = payment({ deposit: history.deposit, amount: "1" });
  const isQueued = transfer.riskStatus === riskStatus.queued;
  switch (what) {
    case "include":
      return transfer.block === null
        ? includeTransfer(transfer, hit, blockAt(history.tip), { revalueAfterSeconds: 5 })
        : transfer;
    case "orphan":
      return transfer.block === null ? transfer : orphanTransfer(transfer, history.deposit);
    case "conflict":
      return transfer.block === null ? cancelTransfer(transfer) : transfer;
    case "revive":
      return reviveTransfer(transfer);
    case "screenRed":
      return isQueued ? { ...transfer, riskStatus: riskStatus.red, risk: 90 } : transfer;
    case "screenGreen":
      return isQueued ? { ...transfer, riskStatus: riskStatus.green, risk: 3 } : transfer;
    case "release":
      return transfer.disposition === "blocked"
        ? { ...transfer, releasedAt: history.now }
        : transfer;
  }
}

const someDeposit: fc.Arbitrary<Deposit> = fc
  .record({
    walletType: fc.constantFrom(walletType.merchant, walletType.merchant, walletType.enterprise),
    isConverted: fc.boolean(),
    requested: fc.option(fc.integer({ min: 1, max: 400 })),
    confirmationsNeeded: fc.option(fc.integer({ min: 0, max: 5 })),
    limit: fc.option(fc.integer({ min: 1, max: 20 })),
    ratePpm: fc.constantFrom(0, 10_000, 333_333),
  })
  .map(({ isConverted, requested, limit, ratePpm, ...rest }) => {
    const isMerchant = rest.walletType === walletType.merchant;
    const unit = isConverted ? 200n : 10n ** 15n;
    return aDeposit({
      ...rest,
      walletCurrency: isConverted && isMerchant ? usd : aDeposit().walletCurrency,
      targetAmountRequested: isMerchant && requested !== null ? BigInt(requested) * unit : null,
      expiresAt: isMerchant && limit !== null ? ((someTime + limit * 1_000_000) as Instant) : null,
      commissionTerms: { ratePpm, fixedUnits: 0n, minimumUnits: 0n },
    });
  });
/** Of ether in these tests. */
const ownCount = 3;
const someFacts = fc.array(fact, { maxLength: 25 });
const manyFacts = fc.array(fact, { minLength: 10, maxLength: 40, size: "max" });

describe("decideDeposit after any sequence of events", () => {
  it("books the positions of the transfers, never below zero, and zero after all are reversed", () => {
    fc.assert(
      fc.property(someDeposit, someFacts, (deposit, facts) => {
        const history = new DepositHistory(deposit);
        facts.forEach((next, index) => {
          enter(history, next, String(index));
          expect(history.balances()).toEqual(history.positions());
          for (const [account, held] of Object.entries(history.balances())) {
            if (!account.startsWith("conversion/")) {
              expect(held > 0n).toBe(/^(chain|mempool)\//.test(account));
            }
          }
        });
        history.step((transfer) => cancelTransfer({ ...transfer, block: null }));
        expect(history.balances()).toEqual({});
        expect(history.deposit.sums).toEqual(noSums);
        expect(history.deposit.assets).toEqual({});
      }),
      { numRuns: 500 },
    );
  });

  it("decides the same from the changed transfers as from all transfers", () => {
    const evaluations: string[] = [];
    fc.assert(
      fc.property(someDeposit, manyFacts, (deposit, facts) => {
        const one = new DepositHistory({ ...deposit, walletType: walletType.merchant });
        facts.forEach((next, index) => {
          enter(one, next, String(index));
        });
        evaluations.push(...one.evaluated);
      }),
      { numRuns: 500 },
    );
    const enough = evaluations.filter((from) => from === "part").length;
    expect(enough).toBeGreaterThan(evaluations.length / 2);
    expect(enough).toBeLessThan(evaluations.length);
  });

  it("treats a removed payment as if it had never arrived", () => {
    fc.assert(
      fc.property(someDeposit, someFacts, fc.nat(24), (deposit, facts, index) => {
        fc.pre(facts[index]?.do === "arrive");
        const [withIt, without] = [new DepositHistory(deposit), new DepositHistory(deposit)];
        facts.forEach((next, place) => {
          enter(withIt, next, String(place));
          const isAboutIt = place === index || ("which" in next && next.which === index);
          if (isAboutIt) without.step();
          else enter(without, next, String(place));
        });
        withIt.changeTransfer(String(index), (transfer) =>
          cancelTransfer({ ...transfer, block: null }),
        );
        without.step();
        const end = ({ deposit: { status, statusReason, sums, assets } }: DepositHistory) => ({
          status,
          statusReason,
          sums,
          assets,
        });
        expect(end(withIt)).toEqual(end(without));
        expect(withIt.balances()).toEqual(without.balances());
      }),
      { numRuns: 500 },
    );
  });

  it("credits nothing before the currency's own count, counted again after each reorg", () => {
    let credited = 0;
    let early = 0;
    fc.assert(
      fc.property(someDeposit, manyFacts, (deposit, facts) => {
        const history = new DepositHistory(deposit);
        /** Transfers whose block reached the count since they were last in none. */
        const deep = new Set<string>();
        facts.forEach((next, index) => {
          enter(history, next, String(index));
          for (const { id, block, disposition, isConfirmed } of history.transfers.values()) {
            if (block === null) deep.delete(id);
            else if (history.tip - block.height + 1 >= ownCount) deep.add(id);
            if (disposition === "credited") {
              expect(deep).toContain(id);
              credited += 1;
            }
            if (isConfirmed && block !== null && !deep.has(id)) early += 1;
          }
        });
      }),
      { numRuns: 500 },
    );
    // Otherwise the two counts never differed, or nothing was credited.
    expect(Math.min(credited, early)).toBeGreaterThan(100);
  });

  it("gives every callback a unique key, except a repeated cancellation", () => {
    fc.assert(
      fc.property(someDeposit, someFacts, (deposit, facts) => {
        const history = new DepositHistory(deposit);
        const keys: string[] = [];
        const original = history.step.bind(history);
        history.step = (...args) => {
          const decision = original(...args);
          keys.push(...decision.announcements.map(({ key }) => key));
          return decision;
        };
        facts.forEach((next, index) => {
          enter(history, next, String(index));
        });
        const others = keys.filter((key) => !key.includes(":cancelled:"));
        expect(new Set(others).size).toBe(others.length);
      }),
      { numRuns: 500 },
    );
  });
});
