import { systemAccount } from "../ledger/ledger-account.ts";
import type { Position } from "../ledger/posting.ts";
import type { Spend } from "./spend.ts";

/**
 * How a spend stands in the operator's books: once in a block, what the network took is gone from the chain and charged to
 * the fees; money for the cold address is no longer in reach. What it pays to others is booked by its payouts.
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
  return [...fee, ...left].filter(({ units }) => units !== 0n);
}
