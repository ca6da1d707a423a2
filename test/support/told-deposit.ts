import { type DepositDecision, decideDeposit } from "../../src/deposits/decide-deposit.ts";
import { type Deposit } from "../../src/deposits/deposit.ts";
import { positionsOf } from "../../src/deposits/positions.ts";
import { priceTransfers } from "../../src/deposits/price-transfer.ts";
import type { Instant } from "../../src/kernel/clock.ts";
import type { Posting } from "../../src/ledger/posting.ts";
import { type TransferRecord } from "../../src/transfers/transfer.ts";
import { aTransfer, someTime } from "./deposit-records.ts";
import { rateOf, testCurrencies } from "./deposit-world.ts";

/** A deposit in memory to which things happen one after the other; what it posted and announced is kept. */
export class ToldDeposit {
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
    const price = rateOf("2000");
    const prices = new Map([["1002 840", { bid: price, ask: price, expiresAt: this.now }]]);
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

  changeTransfer(id: string, change: (transfer: TransferRecord) => TransferRecord) {
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
