import { assert } from "../platform/kernel/assert.ts";
import type { CurrencyId } from "../platform/kernel/money.ts";
import type { LedgerAccount } from "./ledger-account.ts";

/** One movement: `units` (> 0) leave the credit side's account for the debit side's. Immutable once written. */
export type Posting = {
  readonly debit: LedgerAccount;
  readonly credit: LedgerAccount;
  readonly currency: CurrencyId;
  readonly units: bigint;
};

/** Postings of one account (tenant) for one cause, `transfer:17`. */
export type Entry = {
  readonly accountId: string;
  readonly cause: string;
  readonly postings: readonly Posting[];
};

/** What one fact (a transfer, say) amounts to in one account: debits positive, credits negative. */
export type Position = {
  readonly account: LedgerAccount;
  readonly currency: CurrencyId;
  readonly units: bigint;
};

/**
 * The postings that turn the positions of a fact as it was into its positions as it is. Since every change of state
 * is booked as this difference, a reversal cannot miss anything that was booked before, whatever path led there.
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
  return Map.groupBy(
    [...net.values()].filter((position) => position.units !== 0n),
    (position) => position.currency,
  );
}

/** Matches debits with credits until both run out; the same input gives the same postings. */
function pair(debits: readonly Position[], credits: readonly Position[]): Posting[] {
  const postings: Posting[] = [];
  const open = credits.map((credit) => ({ account: credit.account, units: -credit.units }));
  for (const debit of debits) {
    let rest = debit.units;
    for (const credit of open) {
      const units = rest < credit.units ? rest : credit.units;
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
