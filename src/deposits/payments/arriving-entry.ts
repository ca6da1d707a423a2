import { systemAccount } from "../../ledger/ledger-account.ts";
import type { Entry } from "../../ledger/posting.ts";
import type { WaitingReport } from "./report.store.ts";

/**
 * The postings of an undecided report, so that `chain/C` matches the chain at every block. The counter account is `arriving/C`,
 * which returns to zero when the report is decided (`sign` -1n).
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
