import { assert } from "../platform/kernel/assert.ts";
import { minBigInt } from "../platform/kernel/bigint-min-max.ts";
import type { CurrencyId } from "../platform/kernel/money.ts";
import type { LedgerAccount } from "./ledger-account.ts";

/** One movement: `units` (> 0) leave the credited account for the debited one. Immutable once written. */
export type Posting = {
  readonly debit: LedgerAccount;
  readonly credit: LedgerAccount;
  readonly currency: CurrencyId;
  readonly units: bigint;
};

/** The postings of one tenant for one cause, such as `transfer:17`. */
export type Entry = {
  readonly accountId: string;
  readonly cause: string;
  readonly postings: readonly Posting[];
};

/** What one fact (such as a transfer) contributes to one account: debits are positive, credits negative. */
export type Position = {
  readonly account: LedgerAccount;
  readonly currency: CurrencyId;
  readonly units: bigint;
};

/**
 * The postings that turn a fact's previous positions into its new ones. Every state change is booked as this
 * difference, so a reversal undoes everything that was booked before, however it came about.
 */
export function postingsBetween(
  before: readonly Position[],
  after: readonly Position[],
): readonly Posting[] {
  const postings: Posting[] = [];
  for (const [currency, changes] of netChanges(before, after)) {
    const debits = changes.filter((change) => change.units > 0n);
    const credits = changes.filter((change) => change.units < 0n);
    assert(
      changes.reduce((sum, change) => sum + change.units, 0n) === 0n,
      `positions of ${currency} do not balance`,
    );
    postings.push(...pair(debits, credits));
  }
  return postings;
}

function netChanges(
  before: readonly Position[],
  after: readonly Position[],
): Map<CurrencyId, Position[]> {
  const net = new Map<string, Position>();
  const add = (position: Position, sign: bigint): void => {
    const key = `${position.currency} ${position.account}`;
    const units = (net.get(key)?.units ?? 0n) + sign * position.units;
    net.set(key, { ...position, units });
  };
  for (const position of before) add(position, -1n);
  for (const position of after) add(position, 1n);
  return Map.groupBy(net.values(), (position) => position.currency);
}

/** Matches debits with credits until both are used up. Deterministic. */
function pair(debits: readonly Position[], credits: readonly Position[]): Posting[] {
  const postings: Posting[] = [];
  const open = credits.map((credit) => ({ account: credit.account, units: -credit.units }));
  for (const debit of debits) {
    let rest = debit.units;
    for (const credit of open) {
      const units = minBigInt(rest, credit.units);
      if (units === 0n) continue;
      postings.push({
        debit: debit.account,
        credit: credit.account,
        currency: debit.currency,
        units,
      });
      credit.units -= units;
      rest -= units;
    }
  }
  return postings;
}
