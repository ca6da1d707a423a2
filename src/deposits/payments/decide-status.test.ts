import { describe, expect, it } from "vitest";
import { readPayment, readStory, summarize } from "../../../test/support/deposit-story.ts";
import { fc } from "../../../test/support/property.ts";
import { walletType } from "../../accounts/wallets/wallet.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { decideStatus } from "./decide-status.ts";
import type { Payment, StatusFacts } from "./status-replay.ts";

/* Each line is one deposit, as `readStory` reads it, and the outcome. */
const cases = {
  "compares the amount with the tolerance": `
    100          |                                   | Created
    100          | 1:100@10                          | Paid, credits 1
    100          | 1:99@10                           | Created
    100          | 1:101@10                          | Unresolved overpaid, holds 1
    100±5        | 1:94@10                           | Created
    100±5        | 1:95@10                           | Paid, credits 1
    100±5        | 1:105@10                          | Paid, credits 1
    100±5        | 1:106@10                          | Unresolved overpaid, holds 1
    100          | 1:100@10..                        | Created`,
  "compares the amount with the account's tolerances, unless the request has its own": `
    100-0+1      | 1:101@10                          | Paid, credits 1
    100-0+1      | 1:102@10                          | Unresolved overpaid, holds 1
    100-0+1      | 1:99@10                           | Created
    100-5+1      | 1:95@10                           | Paid, credits 1
    100-5+1      | 1:94@10                           | Created
    100±0-5+10   | 1:99@10                           | Created
    100±0-5+10   | 1:101@10                          | Unresolved overpaid, holds 1
    100±2-5+10   | 1:103@10                          | Unresolved overpaid, holds 1`,
  "takes a shortfall that nobody can send as paid": `
    100-0+1      | 1:97<4@10                         | Paid, credits 1
    100-0+1      | 1:96<4@10                         | Created
    100-0+1      | 1:60<4@10 2:37<4@20               | Paid, credits 1 2
    100-0+1 by 60 | 1:96<4@10 ended@61               | Unresolved partial, holds 1
    100-6+1      | 1:94<4@10                         | Paid, credits 1`,
  "adds up several payments": `
    100          | 1:60@10 2:40@20                   | Paid, credits 1 2
    100          | 1:60@10 2:39@20                   | Created
    100          | 1:60@10 2:41@20                   | Unresolved overpaid, holds 1 2
    100±5        | 1:60@10 2:36@20 3:9@30            | Unresolved second_payment, holds 3, credits 1 2
    100          | 1:60@10 2:40@20..                 | Created
    100          | 1:100@10 2:100@20                 | Unresolved second_payment, holds 2, credits 1
    100          | 1:100@10 2:1@20 3:1@30            | Unresolved second_payment, holds 2 3, credits 1
    100          | 1:100@10 2:100@20..               | Paid, credits 1
    100          | 1:150@10 2:7@20                   | Unresolved overpaid, holds 1 2
    100          | 1:100@12..20 2:100@11..20         | Unresolved second_payment, holds 1, credits 2
    100          | 2:100@11..20 1:100@11..20         | Unresolved second_payment, holds 2, credits 1`,
  "tolerates one unit of a currency whose smallest unit is worth several of the wallet's": `
    100          | 1:104~4@10                        | Paid, credits 1
    100          | 1:105~4@10                        | Unresolved overpaid, holds 1
    100          | 1:99~4@10                         | Created
    100          | 1:60~4@10 2:44~4@20               | Paid, credits 1 2
    100±3        | 1:104~4@10                        | Paid, credits 1
    100±3        | 1:105~4@10                        | Unresolved overpaid, holds 1
    100±5        | 1:105~4@10                        | Paid, credits 1
    100±5        | 1:106~4@10                        | Unresolved overpaid, holds 1`,
  "puts a payment on hold again after its refund was undone": `
    100          | 1:130@10!40                       | Unresolved overpaid, holds 1
    100          | 1:130@10!40 accept@30             | Unresolved overpaid, holds 1
    100          | 1:130@10!40 accept@40             | Unresolved overpaid, holds 1
    100          | 1:130@10!40 accept@41             | Paid, credits 1
    100          | 1:60@10!40 2:70@20!40 accept@30   | Unresolved overpaid, holds 1 2
    100          | 1:100@10 2:7@20!40                | Unresolved second_payment, holds 2, credits 1
    100          | 1:100@10 2:7@20!40 3:8@30 accept@35 | Unresolved late, holds 2, credits 1 3
    100          | 1:130@10!40 2:100@20 accept@30    | Unresolved late, holds 1, credits 2
    100 by 60    | 1:60@10!80 ended@61 accept@70     | Unresolved partial, holds 1
    100 by 60    | 1:60@10!80 2:40@65 accept@70      | Unresolved late, holds 1, credits 2
    - by 60      | 1:1@10 2:7@70!90 accept@80        | Unresolved late, holds 2, credits 1`,
  "credits every payment without a requested amount": `
    -            |                                   | Created
    -            | 1:1@10 2:500@20                   | Created, credits 1 2
    - by 60      | 1:1@10 ended@61                   | Created, credits 1
    - by 60      | ended@61                          | Canceled expired
    - by 60      | 1:1@10 2:7@70                     | Unresolved late, holds 2, credits 1
    - by 60      | 1:1@10 2:7@70 accept@80           | Paid, credits 1 2
    -            | cancel@5                          | Canceled cancelled
    -            | 1:1@10 cancel@20                  | Unresolved cancelled, credits 1`,
  "concludes a deposit after its expiry": `
    100 by 60    |                                   | Created
    100 by 60    | ended@61                          | Canceled expired
    100 by 60    | 1:99@10 ended@61                  | Unresolved partial, holds 1
    100±1 by 60  | 1:99@10 ended@61                  | Paid, credits 1
    100 by 60    | 1:40@10 2:50@20 ended@61          | Unresolved partial, holds 1 2
    100 by 60    | 1:100@10 ended@61                 | Paid, credits 1
    100 by 60    | 1:100@60                          | Paid, credits 1`,
  "counts a payment seen on time, however late it confirms": `
    100 by 60    | 1:100@59..300                     | Paid, credits 1
    100 by 60    | 1:100@59.. ended@61               | Created
    100 by 60    | 1:100@59..300 ended@61            | Paid, credits 1
    100 by 60    | 1:40@10 2:60@59.. ended@61        | Created
    100 by 60    | 1:40@10 2:60@59..300 ended@61     | Paid, credits 1 2
    100 by 60    | 1:40@10 2:50@59..300 ended@61     | Unresolved partial, holds 1 2`,
  "puts late payments on hold": `
    100 by 60    | 1:100@61                          | Unresolved late, holds 1
    100 by 60    | 1:100@61 ended@65                 | Unresolved late, holds 1
    100 by 60    | 1:100@61.. ended@65               | Canceled expired
    100 by 60    | 1:100@10 2:100@61                 | Unresolved late, holds 2, credits 1
    100 by 60    | 1:40@10 2:60@61                   | Unresolved partial, holds 1 2
    100 by 60    | 1:40@10 2:60@61.. ended@65        | Unresolved partial, holds 1
    100 by 60    | 1:100@59..300 2:100@61..200       | Unresolved late, holds 2, credits 1
    100 by 60    | 1:100@59.. 2:100@61..200          | Unresolved late, holds 2
    100 by 60    | 1:40@50 2:60@59..300 3:9@61..200  | Unresolved late, holds 3, credits 1 2`,
  "applies a cancellation": `
    100          | cancel@20                         | Canceled cancelled
    100          | 1:60@10 cancel@20                 | Unresolved cancelled, holds 1
    100          | 1:60@10.. cancel@20               | Unresolved cancelled
    100          | 1:100@10..30 cancel@20            | Unresolved cancelled, holds 1
    100          | 1:100@10 cancel@20                | Unresolved cancelled, credits 1
    100          | cancel@20 1:100@30                | Unresolved cancelled, holds 1
    100          | cancel@20 1:100@30..              | Canceled cancelled
    100 by 60    | cancel@20 ended@61                | Canceled cancelled
    100 by 60    | cancel@20 1:100@70                | Unresolved late, holds 1
    100          | cancel@20 1:100@30 2:1@40         | Unresolved cancelled, holds 1 2`,
  "applies an acceptance": `
    100          | 1:150@10 accept@20                | Paid, credits 1
    100 by 60    | 1:40@10 ended@61 accept@70        | Paid, credits 1
    100 by 60    | 1:40@70 accept@80                 | Paid, credits 1
    100          | 1:100@10 2:7@20 accept@30         | Paid, credits 1 2
    100          | cancel@20 1:100@30 accept@40      | Paid, credits 1
    100          | 1:150@10 accept@20 2:7@30         | Unresolved second_payment, holds 2, credits 1
    100 by 60    | 1:40@10 ended@61 accept@70 2:7@80 | Unresolved late, holds 2, credits 1
    100          | 1:100@10 accept@5                 | Paid, credits 1`,
  "accepts payments seen before the acceptance and confirmed after it": `
    100          | 1:60@10.. cancel@20 accept@30     | Paid
    100          | 1:60@10..40 cancel@20 accept@30   | Paid, credits 1
    100          | 1:150@10..40 accept@20            | Paid, credits 1
    100 by 60    | 1:40@10..90 ended@61 accept@70    | Paid, credits 1
    100          | 1:150@10..40 accept@20 2:7@50     | Unresolved second_payment, holds 2, credits 1
    100          | 1:150@10.. accept@20              | Created
    100          | accept@20                         | Created
    100 by 60    | 1:40@70..90 accept@80             | Paid, credits 1
    100 by 60    | 1:40@70..90 ended@75 accept@80    | Paid, credits 1
    100 by 60    | 2:9@10 1:40@70..90 accept@80      | Paid, credits 1 2
    100 by 60    | cancel@5 1:40@70..90 accept@80    | Paid, credits 1`,
} as const;

describe("decideStatus", () => {
  for (const [name, table] of Object.entries(cases)) {
    const lines = table.trim().split("\n");
    it.each(lines.map((line) => line.trim()))(`${name}: %s`, (line) => {
      const { facts, payments, outcome } = readStory(line);
      expect(summarize(decideStatus(facts, payments))).toBe(outcome);
    });
  }

  it("restores the status when a reorg removes and restores a payment", () => {
    const there = readStory("100 | 1:100@10 2:50@20 | ");
    const removed = readStory("100 | 1:100@10.. 2:50@20 | ");
    const back = readStory("100 | 1:100@10..40 2:50@20 | ");
    expect(summarize(decideStatus(there.facts, there.payments))).toBe(
      "Unresolved second_payment, holds 2, credits 1",
    );
    expect(summarize(decideStatus(removed.facts, removed.payments))).toBe("Created");
    expect(summarize(decideStatus(back.facts, back.payments))).toBe(
      "Unresolved overpaid, holds 1 2",
    );
  });

  it.each([walletType.enterprise, walletType.custody, walletType.swap])(
    "keeps a deposit of a wallet of type %i Created and credits every payment",
    (type) => {
      const { facts, payments } = readStory("100 by 60 | 1:500@10 2:1@70.. cancel@20 ended@61 | ");
      expect(summarize(decideStatus({ ...facts, walletType: type }, payments))).toBe(
        "Created, credits 1 2",
      );
    },
  );
});

const instant = fc.integer({ min: 1, max: 100 }).map((value) => value as Instant);
const somePayment = (id: string): fc.Arbitrary<Payment> =>
  fc
    .record({
      seen: instant,
      delay: fc.option(fc.integer({ min: 0, max: 50 })),
      units: fc.nat(60),
      refundUndoneAt: fc.option(instant),
      least: fc.constantFrom(0n, 0n, 4n),
    })
    .map(({ seen, delay, units, refundUndoneAt, least }) => ({
      refundUndoneAt,
      id,
      targetUnits: BigInt(units),
      coarseness: 0n,
      least,
      firstSeenAt: seen,
      isConfirmed: delay !== null,
      confirmedAt: delay === null ? null : ((seen + delay) as Instant),
    }));
const somePayments = fc
  .nat(6)
  .chain((count) =>
    fc.tuple(...Array.from({ length: count }, (_, index) => somePayment(String(index + 1)))),
  );
const someFacts: fc.Arbitrary<StatusFacts> = fc.record({
  walletType: fc.constant(walletType.merchant),
  targetAmountRequested: fc.option(fc.bigInt({ min: 1n, max: 120n })),
  inaccuracy: fc.option(fc.bigInt({ min: 0n, max: 10n })),
  toleranceBelow: fc.option(fc.bigInt({ min: 0n, max: 10n })),
  toleranceAbove: fc.option(fc.bigInt({ min: 0n, max: 10n })),
  expiresAt: fc.option(instant),
  cancelledAt: fc.option(instant),
  acceptedAt: fc.option(instant),
  expiryConcludedAt: fc.option(instant),
});

describe("decideStatus after any sequence of events", () => {
  it("does not depend on the order of the payments", () => {
    fc.assert(
      fc.property(someFacts, somePayments, fc.gen(), (facts, payments, g) => {
        const shuffled = g(() => fc.shuffledSubarray(payments, { minLength: payments.length }));
        expect(summarize(decideStatus(facts, shuffled))).toBe(
          summarize(decideStatus(facts, payments)),
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it("holds or credits a payment, never both, and only when it is Confirmed", () => {
    fc.assert(
      fc.property(someFacts, somePayments, (facts, payments) => {
        const { holds, creditable } = decideStatus(facts, payments);
        const confirmed = new Set(
          payments.filter((payment) => payment.isConfirmed).map((payment) => payment.id),
        );
        for (const id of [...holds.keys(), ...creditable]) {
          expect(confirmed.has(id)).toBe(true);
          expect(holds.has(id) && creditable.has(id)).toBe(false);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("holds payments only while the status is Unresolved", () => {
    fc.assert(
      fc.property(someFacts, somePayments, (facts, payments) => {
        const { status, reason, holds, creditable } = decideStatus(facts, payments);
        if (holds.size > 0) expect(status).toBe(5);
        if (status === 4) expect(creditable.size).toBe(0);
        expect(reason === null).toBe(status === 2 || status === 3);
      }),
      { numRuns: 1_000 },
    );
  });

  it("lets pending and late payments leave payments in time unaffected", () => {
    fc.assert(
      fc.property(someFacts, somePayments, (facts, payments) => {
        fc.pre(facts.acceptedAt === null && facts.cancelledAt === null);
        const { expiresAt } = facts;
        const inTime = payments.filter(
          (payment) => expiresAt === null || payment.firstSeenAt <= expiresAt,
        );
        fc.pre(inTime.every((payment) => payment.isConfirmed));
        const alone = decideStatus({ ...facts, expiryConcludedAt: 1 as Instant }, inTime);
        const together = decideStatus({ ...facts, expiryConcludedAt: 1 as Instant }, payments);
        expect([...together.creditable].sort()).toEqual([...alone.creditable].sort());
      }),
      { numRuns: 1_000 },
    );
  });

  it("leaves no payment on hold that was seen before accepting", () => {
    fc.assert(
      fc.property(someFacts, somePayments, (facts, payments) => {
        const { holds } = decideStatus({ ...facts, acceptedAt: 200 as Instant }, payments);
        expect(holds.size).toBe(0);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("decideStatus", () => {
  it("decides thousands of payments in linear time", () => {
    const payments = Array.from({ length: 20_000 }, (_, index) => ({
      ...readPayment("1:1@10")!,
      id: String(index + 1),
    }));
    const { facts } = readStory("5 | | ");
    const { holds, creditable } = decideStatus(facts, payments);
    expect([holds.size, creditable.size]).toEqual([19_995, 5]);
  });
});
