import type { TokenDelivery } from "../../chains/port.ts";
import { systemAccount } from "../../ledger/ledger-account.ts";
import type { Position } from "../../ledger/posting.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { Spend } from "./spend.ts";

/**
 * A spend's positions in the operator's books. Once it is in a block, its fee has left the chain and is booked as fees, and funds
 * for the cold address have left as well. Payouts book their own payments, assuming that tokens behave as asked; any difference
 * waits for a decision under `unresolved`.
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
 * The difference between the tokens booked as gone and those actually gone: what a token kept back is still there, what it took
 * without paying anyone is not. Sweeps book no tokens as gone.
 */
function strayed({ kind, inclusion }: Spend): readonly Position[] {
  if (inclusion === null) return [];
  const { delivery, deliveries = [], hasSucceeded, payments } = inclusion;
  const paysOthers = kind === "payout" || kind === "cold";
  const outflowOf = ({ sentUnits, receivedUnits }: TokenDelivery): bigint =>
    paysOthers ? sentUnits : sentUnits - receivedUnits;
  const strayedOf = (one: TokenDelivery, isMade: boolean): readonly Position[] =>
    missing(one.currency, outflowOf(one) - (paysOthers && isMade ? one.requestedUnits : 0n));
  return [
    ...(delivery === null ? [] : strayedOf(delivery, hasSucceeded)),
    ...deliveries.flatMap((one) => strayedOf(one, payments?.[one.place] === "made")),
  ];
}

/** Gone from the chain or, if negative, still there, contrary to the books. */
function missing(currency: CurrencyId, units: bigint): readonly Position[] {
  return [
    { account: systemAccount("chain", currency), currency, units: -units },
    { account: systemAccount("unresolved", currency), currency, units },
  ];
}
