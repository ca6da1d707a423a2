import { checkDecisions } from "./check-decisions.ts";
import { checkEvents } from "./check-events.ts";
import { checkLedger } from "./check-ledger.ts";
import { checkPayments } from "./check-payments.ts";
import { checkPayouts } from "./check-payouts.ts";
import { checkRecord } from "./check-record.ts";
import { checkSweeps } from "./check-sweeps.ts";
import type { Evidence, Finding } from "./finding.ts";

/** Compares the service's records with the nodes, the clients and the callback receiver. */
export async function checkEverything(evidence: Evidence): Promise<readonly Finding[]> {
  return [
    ...(await checkPayments(evidence)),
    ...(await checkPayouts(evidence)),
    await checkDecisions(evidence),
    ...(await checkLedger(evidence)),
    ...(await checkEvents(evidence)),
    ...(await checkRecord(evidence)),
    await checkSweeps(evidence),
  ];
}
