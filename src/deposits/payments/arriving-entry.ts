import { systemAccount } from "../../ledger/ledger-account.ts";
import type { Entry } from "../../ledger/posting.ts";
import type { WaitingReport } from "./report.store.ts";

/**
 * What a report that waits books, so that `chain/C` has what the chain has at every block: the other side is `arriving/C`, which
 * is zero again once the report is decided on (`sign` -1n).
 */
export function arrivingEntry(
  { report, booked }: Pick<WaitingReport, "report" | "booked">,
  sign: 1n | -1n,
): readonly Entry[] {
  if (booked === null) return [];
  const { currency } = booked;
  const units = booked.units * sign;
  const [chain, arriving] = [systemAccount("chain", currency), systemAccount("arriving", currency)];
  const posting =
    units > 0n
      ? { debit: chain, credit: arriving, currency, units }
      : { debit: arriving, credit: chain, currency, units: -units };
  return [
    { accountId: report.accountId, cause: `transfer:${report.transferId}`, postings: [posting] },
  ];
}
