import { describe, expect, test } from "vitest";
import { aDeposit, aTransfer, blockAt, someTime } from "../../test/support/deposit-records.ts";
import {
  bnb,
  payment,
  rateOf,
  testCurrencies,
  units,
  usd,
} from "../../test/support/deposit-world.ts";
import { fc } from "../../test/support/property.ts";
import type { Instant } from "../kernel/clock.ts";
import type { Posting } from "../ledger/posting.ts";
import { riskStatus, type TransferRecord } from "../transfers/transfer.ts";
import { walletType } from "../wallets/wallet.ts";
import { type DepositDecision, decideDeposit } from "./decide-deposit.ts";
import { type Deposit, noSums } from "./deposit.ts";
import {
  cancelTransfer,
  includeTransfer,
  orphanTransfer,
  reviveTransfer,
} from "./learn-transfer.ts";
import { positionsOf } from "./positions.ts";
import { priceTransfers } from "./price-transfer.ts";

/** A deposit in memory to which things happen one after the other; what it posted and announced is kept. */
class Told {
  deposit: Deposit;
  tip = 10;
  now = someTime;
  readonly transfers = new Map<string, TransferRecord>();
  readonly postings: Posting[] = [];
  readonly announced: string[] = [];

  constructor(deposit: Deposit) {
    this.deposit = deposit;
  }

  /** Merchant deposits are told with all their transfers, others with those that change. */
  tell(
    change: (transfer: TransferRecord) => TransferRecord = (transfer) => transfer,
    more: { readonly deposit?: Partial<Deposit>; readonly added?: TransferRecord } = {},
  ): DepositDecision {
    this.now = (this.now + 1_000_000) as Instant;
    const changed = { ...this.deposit, ...more.deposit };
    const prices = new Map([["1002 840", { rate: rateOf("2000"), expiresAt: this.now }]]);
    const transfers = [
      ...[...this.transfers.values()].map(change),
      ...(more.added === undefined ? [] : [more.added]),
    ];
    const changes = priceTransfers({ deposit: changed, transfers }, prices, {
      currencies: testCurrencies,
    }).map((now) => ({ before: this.transfers.get(now.id) ?? null, now }));
    const context = { currencies: testCurrencies, tipOf: () => this.tip, now: this.now };
    const decision = decideDeposit(this.deposit, changed, changes, context);
    this.deposit = decision.deposit;
    for (const transfer of decision.transfers) this.transfers.set(transfer.id, transfer);
    this.postings.push(...decision.postings.flatMap((entry) => entry.postings));
    this.announced.push(
      ...decision.announcements.map(
        ({ transferId, trigger, isDelivered }) =>
          `${trigger}${transferId === null ? ` ${this.deposit.status}` : ""}${isDelivered ? "" : " (feed)"}`,
      ),
    );
    return decision;
  }

  arrive(
    amount: string,
    id: string,
    height: number | null,
    overrides: Partial<TransferRecord> = {},
  ) {
    const arrived = aTransfer(this.deposit, { amount }, height);
    const added = { ...arrived, id, txid: `tx${id}`, rate: null, targetUnits: 0n, ...overrides };
    return this.tell(undefined, { added });
  }

  grow(count = 1): void {
    for (let block = 0; block < count; block += 1) {
      this.tip += 1;
      this.tell();
    }
  }

  only(id: string, change: (transfer: TransferRecord) => TransferRecord) {
    return this.tell((transfer) => (transfer.id === id ? change(transfer) : transfer));
  }

  /** What each account holds by the postings, debits positive. */
  balances(): Readonly<Record<string, bigint>> {
    const sums = new Map<string, bigint>();
    for (const { debit, credit, currency, units: moved } of this.postings) {
      const [to, from] = [`${debit} ${currency}`, `${credit} ${currency}`];
      sums.set(to, (sums.get(to) ?? 0n) + moved);
      sums.set(from, (sums.get(from) ?? 0n) - moved);
    }
    return sorted([...sums]);
  }

  /** What each account must hold, told from the transfers as they are. */
  positions(): Readonly<Record<string, bigint>> {
    const sums = new Map<string, bigint>();
    for (const transfer of this.transfers.values()) {
      for (const position of positionsOf(transfer, this.deposit)) {
        const name = `${position.account} ${position.currency}`;
        sums.set(name, (sums.get(name) ?? 0n) + position.units);
      }
    }
    return sorted([...sums]);
  }
}

function sorted(entries: [string, bigint][]): Readonly<Record<string, bigint>> {
  return Object.fromEntries(
    entries.filter(([, held]) => held !== 0n).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

const one = units("1", aDeposit().walletCurrency);

describe("callbacks of a payment", () => {
  const announcedAt = (confirmationsNeeded: number | null, isInMempool: boolean) => {
    const told = new Told(aDeposit({ confirmationsNeeded }));
    const list: string[] = [];
    const note = (): void => {
      list.push(told.announced.splice(0).join("+"));
    };
    if (isInMempool) {
      told.arrive("1", "1", null);
      note();
      told.tip += 1;
      told.only("1", (transfer) =>
        includeTransfer(transfer, payment({ deposit: told.deposit, amount: "1" }), blockAt(11), {
          revalueAfterSeconds: 7_200,
        }),
      );
    } else {
      told.arrive("1", "1", 10);
    }
    note();
    for (let block = 0; block < 4; block += 1) {
      told.grow();
      note();
    }
    return list.join(" | ");
  };

  test.each([
    { needed: null, mined: " |  | confirmed |  | ", seen: " |  |  | confirmed |  | " },
    { needed: 0, mined: "confirmed |  | settled |  | ", seen: "confirmed |  |  | settled |  | " },
    { needed: 1, mined: "confirmed |  | settled |  | ", seen: " | confirmed |  | settled |  | " },
    { needed: 2, mined: " | confirmed | settled |  | ", seen: " |  | confirmed | settled |  | " },
    { needed: 3, mined: " |  | confirmed |  | ", seen: " |  |  | confirmed |  | " },
    { needed: 5, mined: " |  | settled |  | confirmed", seen: " |  |  | settled |  | confirmed" },
  ])("with confirmations_needed $needed and 3 of the currency's own", ({ needed, mined, seen }) => {
    expect(announcedAt(needed, false)).toBe(mined);
    expect(announcedAt(needed, true)).toBe(seen);
  });

  test("a re-org is told once, and what is reached again is told again", () => {
    const told = new Told(aDeposit({ confirmationsNeeded: 1 }));
    told.arrive("1", "1", 10);
    told.grow(2);
    expect(told.announced.splice(0)).toEqual(["confirmed", "settled"]);
    told.only("1", (transfer) => orphanTransfer(transfer, told.deposit));
    expect(told.announced.splice(0)).toEqual(["reversed"]);
    told.grow();
    expect(told.announced.splice(0)).toEqual([]);
    told.only("1", (transfer) =>
      includeTransfer(transfer, payment({ deposit: told.deposit, amount: "1" }), blockAt(13), {
        revalueAfterSeconds: 7_200,
      }),
    );
    told.grow(2);
    expect(told.announced.splice(0)).toEqual(["confirmed", "settled"]);
  });

  test("a re-org of what was never told is not told", () => {
    const told = new Told(aDeposit());
    told.arrive("1", "1", 10);
    told.only("1", (transfer) => orphanTransfer(transfer, told.deposit));
    told.only("1", cancelTransfer);
    expect(told.announced).toEqual(["cancelled (feed)"]);
  });

  test("a conflict after a re-org is told; coming back and going again is not told twice", () => {
    const told = new Told(aDeposit({ confirmationsNeeded: 1 }));
    told.arrive("1", "1", 10);
    told.only("1", (transfer) => orphanTransfer(transfer, told.deposit));
    told.only("1", cancelTransfer);
    expect(told.announced.splice(0)).toEqual(["confirmed", "reversed", "cancelled"]);
    const keys = [
      told.only("1", reviveTransfer).announcements,
      told.only("1", cancelTransfer).announcements,
    ].flat();
    expect(keys.map(({ key }) => key)).toEqual(["deposit:5:transfer:1:cancelled:1"]);
  });

  test("dust and other assets stand in the feed only, once, when they are settled", () => {
    const told = new Told(aDeposit({ confirmationsNeeded: 0 }));
    told.arrive("0.000001", "1", 10, { opType: 15 });
    told.arrive("1", "2", 10, { currency: bnb });
    told.arrive("1", "3", 10, { currency: null, assetLocator: "0xcafe" });
    expect(told.announced.splice(0)).toEqual(["misplaced (feed)"]);
    told.grow(20);
    expect(told.announced).toEqual(["dust (feed)", "misplaced (feed)"]);
    expect(told.deposit.sums).toEqual(noSums);
    expect(told.deposit.assets).toEqual({ 1002: 10n ** 12n, 1125: one });
  });

  test("a blocked payment is told once, moves to the blocked money, and goes on when released", () => {
    const told = new Told(aDeposit());
    told.arrive("1", "1", 10, { riskStatus: riskStatus.queued });
    told.grow(5);
    expect(told.announced).toEqual([]);
    told.only("1", (transfer) => ({ ...transfer, riskStatus: riskStatus.red, risk: 90 }));
    told.grow(2);
    expect(told.announced.splice(0)).toEqual(["blocked"]);
    expect(told.balances()).toEqual({ "chain/1002 1002": one, "blocked/1002 1002": -one });
    expect(told.deposit.sums).toEqual(noSums);
    told.only("1", (transfer) => ({ ...transfer, releasedAt: told.now }));
    expect(told.announced).toEqual(["confirmed"]);
    expect(told.deposit.sums.enrolled).toBe(one);
  });

  test("a change of status is a callback of its own, after the transfer's", () => {
    const told = new Told(
      aDeposit({
        walletType: walletType.merchant,
        targetAmountRequested: one,
        confirmationsNeeded: 1,
      }),
    );
    told.arrive("1", "1", 10);
    told.grow(2);
    told.arrive("0.5", "2", 12);
    told.only("2", (transfer) => orphanTransfer(transfer, told.deposit));
    expect(told.announced).toEqual([
      ...["confirmed", "status 3", "settled"],
      ...["confirmed", "status 5", "reversed", "status 3"],
    ]);
    expect(told.deposit.statusVersion).toBe(3);
  });
});

test("nothing new leaves the very same deposit and transfers, and writes nothing", () => {
  const told = new Told(aDeposit({ walletType: walletType.merchant }));
  told.arrive("1", "1", 10);
  const before = told.deposit;
  const decision = told.tell();
  expect(decision.deposit).toBe(before);
  expect(decision.changedTransfers).toEqual([]);
  expect(decision.postings).toEqual([]);
});

test("a minimum that is raised later takes nothing back", () => {
  const told = new Told(aDeposit({ walletType: walletType.merchant }));
  told.arrive("1", "1", 10);
  told.grow(2);
  expect(told.deposit.sums.enrolled).toBe(one);
  const raised = {
    ...testCurrencies,
    get: (id: string) => ({ ...testCurrencies.get(id), minimalTransferUnits: 10n ** 20n }),
  };
  const transfers = [...told.transfers.values()];
  const decision = decideDeposit(
    told.deposit,
    told.deposit,
    transfers.map((transfer) => ({ before: transfer, now: transfer })),
    { currencies: raised, tipOf: () => 12, now: told.now },
  );
  expect(decision.deposit).toBe(told.deposit);
});

test("with more confirmations asked for than the currency needs, money is payable first and Confirmed later", () => {
  const told = new Told(aDeposit({ confirmationsNeeded: 5 }));
  told.arrive("1", "1", 10);
  told.grow(2);
  expect(told.deposit.sums).toMatchObject({
    enrolled: one,
    targetPaid: 0n,
    targetPaidPending: one,
  });
  told.grow(2);
  expect(told.deposit.sums).toMatchObject({
    enrolled: one,
    targetPaid: one,
    targetPaidPending: 0n,
  });
});

type Learned = {
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
  | Learned
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

function enter(told: Told, next: Fact, id: string): void {
  const { deposit } = told;
  if ("which" in next) {
    told.only(String(next.which), (transfer) => learn(next.do, transfer, told));
    return;
  }
  switch (next.do) {
    case "arrive":
      told.arrive(
        `0.${String(next.amount).padStart(3, "0")}`,
        id,
        next.where === "block" ? told.tip : null,
        {
          firstSeenAt: told.now,
          ...(next.kind === "queued" ? { riskStatus: riskStatus.queued } : {}),
          ...(next.kind === "dust" ? { opType: 15 as const, units: 5n } : {}),
          ...(next.kind === "misplaced" ? { currency: bnb } : {}),
          ...(next.kind === "unlisted" ? { currency: null, assetLocator: "0xcafe" } : {}),
        },
      );
      return;
    case "grow":
      told.grow();
      return;
    case "cancel":
      told.tell(undefined, { deposit: { cancelledAt: deposit.cancelledAt ?? told.now } });
      return;
    case "accept":
      told.tell(undefined, { deposit: { acceptedAt: told.now } });
      return;
    case "end":
      told.tell(undefined, { deposit: { expiryConcludedAt: told.now } });
      return;
  }
}

function learn(what: Learned["do"], transfer: TransferRecord, told: Told): TransferRecord {
  const hit = payment({ deposit: told.deposit, amount: "1" });
  const isQueued = transfer.riskStatus === riskStatus.queued;
  switch (what) {
    case "include":
      return transfer.block === null
        ? includeTransfer(transfer, hit, blockAt(told.tip), { revalueAfterSeconds: 5 })
        : transfer;
    case "orphan":
      return transfer.block === null ? transfer : orphanTransfer(transfer, told.deposit);
    case "conflict":
      return transfer.block === null ? cancelTransfer(transfer) : transfer;
    case "revive":
      return reviveTransfer(transfer);
    case "screenRed":
      return isQueued ? { ...transfer, riskStatus: riskStatus.red, risk: 90 } : transfer;
    case "screenGreen":
      return isQueued ? { ...transfer, riskStatus: riskStatus.green, risk: 3 } : transfer;
    case "release":
      return transfer.disposition === "blocked" ? { ...transfer, releasedAt: told.now } : transfer;
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
const someFacts = fc.array(fact, { maxLength: 25 });

describe("whatever happens", () => {
  test("the books are the positions of the transfers, nothing falls below zero, and reversing all leaves nothing", () => {
    fc.assert(
      fc.property(someDeposit, someFacts, (deposit, facts) => {
        const told = new Told(deposit);
        facts.forEach((next, index) => {
          enter(told, next, String(index));
          expect(told.balances()).toEqual(told.positions());
          for (const [account, held] of Object.entries(told.balances())) {
            if (!account.startsWith("conversion/")) {
              expect(held > 0n).toBe(/^(chain|mempool)\//.test(account));
            }
          }
        });
        told.tell((transfer) => cancelTransfer({ ...transfer, block: null }));
        expect(told.balances()).toEqual({});
        expect(told.deposit.sums).toEqual(noSums);
        expect(told.deposit.assets).toEqual({});
      }),
      { numRuns: 500 },
    );
  });

  test("a payment that was taken away leaves the deposit as if it had never come", () => {
    fc.assert(
      fc.property(someDeposit, someFacts, fc.nat(24), (deposit, facts, index) => {
        fc.pre(facts[index]?.do === "arrive");
        const [withIt, without] = [new Told(deposit), new Told(deposit)];
        facts.forEach((next, place) => {
          enter(withIt, next, String(place));
          const isAboutIt = place === index || ("which" in next && next.which === index);
          if (isAboutIt) without.tell();
          else enter(without, next, String(place));
        });
        withIt.only(String(index), (transfer) => cancelTransfer({ ...transfer, block: null }));
        without.tell();
        const end = ({ deposit: { status, statusReason, sums, assets } }: Told) => ({
          ...{ status, statusReason, sums, assets },
        });
        expect(end(withIt)).toEqual(end(without));
        expect(withIt.balances()).toEqual(without.balances());
      }),
      { numRuns: 500 },
    );
  });

  test("every callback of a deposit has a key of its own, but for a cancellation told before", () => {
    fc.assert(
      fc.property(someDeposit, someFacts, (deposit, facts) => {
        const told = new Told(deposit);
        const keys: string[] = [];
        const original = told.tell.bind(told);
        told.tell = (...args) => {
          const decision = original(...args);
          keys.push(...decision.announcements.map(({ key }) => key));
          return decision;
        };
        facts.forEach((next, index) => {
          enter(told, next, String(index));
        });
        const others = keys.filter((key) => !key.includes(":cancelled:"));
        expect(new Set(others).size).toBe(others.length);
      }),
      { numRuns: 500 },
    );
  });
});
