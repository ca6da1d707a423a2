import { systemAccount } from "../../ledger/ledger-account.ts";
import type { Position } from "../../ledger/posting.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { Spend } from "./spend.ts";

/**
 * How a spend stands in the operator's books: once in a block, what the network took is gone from the chain and charged to
 * the fees; money for the cold address is no longer in reach. What it pays to others is booked by its payouts, as if a token did
 * what was asked of it; the rest, where it did not, waits for somebody's decision.
 */
export function positionsOfSpend(spend: Spend): readonly Position[] {
  const { inclusion, feeCurrency, leaves } = spend;
  if (inclusion === null) return [];
  const { burntUnits } = inclusion;
  const fee: Position[] = [
    { account: systemAccount("chain", feeCurrency), currency: feeCurrency, units: -burntUnits },
    { account: systemAccount("fees", feeCurrency), currency: feeCurrency, units: burntUnits },
  ];
  const left: Position[] =
    leaves === null || !inclusion.hasSucceeded
      ? []
      : [
          { ...leaves, account: systemAccount("chain", leaves.currency), units: -leaves.units },
          { ...leaves, account: systemAccount("equity", leaves.currency) },
        ];
  const lost = inclusion.lost.flatMap(({ currency, units }) => missing(currency, units));
  return [...fee, ...left, ...strayed(spend), ...lost].filter(({ units }) => units !== 0n);
}

/**
 * The difference between the tokens that are booked as gone and those that the chain says are: what a token kept back is still
 * there, what it took from us without paying anybody, or beside, is not. Of a sweep, nothing is booked as gone.
 */
function strayed({ kind, inclusion }: Spend): readonly Position[] {
  const delivery = inclusion?.delivery ?? null;
  if (inclusion === null || delivery === null) return [];
  const { currency, askedUnits, arrivedUnits, leftUnits } = delivery;
  const paysOthers = kind === "payout" || kind === "cold";
  const booked = paysOthers && inclusion.hasSucceeded ? askedUnits : 0n;
  const gone = paysOthers ? leftUnits : leftUnits - arrivedUnits;
  return missing(currency, gone - booked);
}

/** Gone from the chain, or, below zero, still there, though the books of nobody say so. */
function missing(currency: CurrencyId, units: bigint): readonly Position[] {
  return [
    { account: systemAccount("chain", currency), currency, units: -units },
    { account: systemAccount("unresolved", currency), currency, units },
  ];
}
