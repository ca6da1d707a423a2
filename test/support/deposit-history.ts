import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import type { Deposit } from "../../src/deposits/deposit.ts";
import {
  continueDeposit,
  type DepositDecision,
  decideDeposit,
  type TransferChange,
} from "../../src/deposits/payments/decide-deposit.ts";
import { positionsOf } from "../../src/deposits/payments/positions.ts";
import { priceTransfers } from "../../src/deposits/payments/price-transfer.ts";
import { changePriced } from "../../src/deposits/payments/priced-sums.ts";
import { nothingPriced, type PricedSums } from "../../src/deposits/payments/tally.ts";
import { type TransferRecord } from "../../src/deposits/transfers/transfer.ts";
import type { Posting } from "../../src/ledger/posting.ts";
import type { Instant } from "../../src/platform/kernel/clock.ts";
import { aTransfer, someTime } from "./deposit-records.ts";
import { rateOf, testCurrencies } from "./deposit-world.ts";

/** A deposit in memory that changes step by step; records what it posted and announced. */
export class DepositHistory {
  deposit: Deposit;
  tip = 10;
  now = someTime;
  readonly transfers = new Map<string, TransferRecord>();
  readonly postings: Posting[] = [];
  readonly announced: string[] = [];
  /** For each use of a tally: whether the changed transfers were enough. */
  readonly evaluated: ("part" | "whole")[] = [];

  constructor(deposit: Deposit) {
    this.deposit = deposit;
  }

  /** Merchant deposits receive all their transfers, others only those that change. */
  step(
    change: (transfer: TransferRecord) => TransferRecord = (transfer) => transfer,
    more: { readonly deposit?: Partial<Deposit>; readonly added?: TransferRecord } = {},
  ): DepositDecision {
    this.now = (this.now + 1_000_000) as Instant;
    const changed = { ...this.deposit, ...more.deposit };
    const price = rateOf("2000");
    const prices = new Map([["1002 840", { bid: price, ask: price, expiresAt: this.now }]]);
    const transfers = [
      ...[...this.transfers.values()].map(change),
      ...(more.added === undefined ? [] : [more.added]),
    ];
    const changesOf = (
      facts: readonly TransferRecord[],
      others: PricedSums,
    ): readonly TransferChange[] =>
      priceTransfers(
        { deposit: changed, transfers: facts },
        prices,
        { currencies: testCurrencies },
        others,
      ).map((now) => ({ before: this.transfers.get(now.id) ?? null, now }));
    const context = {
      currencies: testCurrencies,
      needsOpinion: () => false,
      tipOf: () => this.tip,
      lockedOf: () => null,
      now: this.now,
    };
    const decision = decideDeposit(
      this.deposit,
      changed,
      changesOf(transfers, nothingPriced),
      context,
    );
    this.#expectSameFromPart(changed, transfers, decision, (others, part) =>
      continueDeposit(this.deposit, changed, changesOf(part, others), context),
    );
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

  /** Deciding from the changed transfers and the tally of the others gives the same as deciding from all of them. */
  #expectSameFromPart(
    changed: Deposit,
    transfers: readonly TransferRecord[],
    whole: DepositDecision,
    decide: (others: PricedSums, part: readonly TransferRecord[]) => DepositDecision | null,
  ): void {
    if (this.deposit.tally === null) return;
    const part = transfers.filter((transfer) => {
      const isDue = transfer.dueHeight !== null && transfer.dueHeight <= this.tip;
      return isDue || !isDeepStrictEqual(this.transfers.get(transfer.id), transfer);
    });
    const taken = part.map(({ id }) => ({ before: this.transfers.get(id) ?? null, now: null }));
    const decision = decide(changePriced(this.deposit.tally.priced, taken, changed), part);
    this.evaluated.push(decision === null ? "whole" : "part");
    if (decision === null) return;
    expect(consequences(decision)).toEqual(consequences(whole));
  }

  arrive(
    amount: string,
    id: string,
    height: number | null,
    overrides: Partial<TransferRecord> = {},
  ) {
    const arrived = aTransfer(this.deposit, { amount }, height);
    const added = { ...arrived, id, txid: `tx${id}`, rate: null, targetUnits: 0n, ...overrides };
    return this.step(undefined, { added });
  }

  grow(count = 1): void {
    for (let block = 0; block < count; block += 1) {
      this.tip += 1;
      this.step();
    }
  }

  changeTransfer(id: string, change: (transfer: TransferRecord) => TransferRecord) {
    return this.step((transfer) => (transfer.id === id ? change(transfer) : transfer));
  }

  /** Balances of the postings by account, debits positive. */
  balances(): Readonly<Record<string, bigint>> {
    const sums = new Map<string, bigint>();
    for (const { debit, credit, currency, units: moved } of this.postings) {
      const [to, from] = [`${debit} ${currency}`, `${credit} ${currency}`];
      sums.set(to, (sums.get(to) ?? 0n) + moved);
      sums.set(from, (sums.get(from) ?? 0n) - moved);
    }
    return sorted([...sums]);
  }

  /** The balances that the transfers imply. */
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

/** All but the unchanged transfers. Prices are in the order of their use, which not every transfer shows. */
function consequences({ deposit, changedTransfers, postings, announcements }: DepositDecision) {
  const atRate = deposit.tally?.priced.atRate.toSorted((a, b) =>
    a.rate.units < b.rate.units ? -1 : 1,
  );
  const { tally, ...rest } = deposit;
  return { ...rest, standing: tally?.standing, atRate, changedTransfers, postings, announcements };
}

function sorted(entries: [string, bigint][]): Readonly<Record<string, bigint>> {
  return Object.fromEntries(
    entries.filter(([, held]) => held !== 0n).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}
