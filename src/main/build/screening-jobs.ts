import type { DepositContext } from "../../deposits/payments/reconsider.ts";
import type { ScreeningProvider } from "../../deposits/screening/provider.ts";
import { screenTransfers } from "../../deposits/screening/screen-transfers.ts";
import type { PayoutContext } from "../../payouts/change-payouts.ts";
import { screenPayouts } from "../../payouts/send/screen-payouts.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { Work } from "./mail.ts";

/**
 * The recurring work of screening payments and payouts. Without a provider (null) it only releases what was queued before
 * screening was removed from the configuration.
 */
export function screeningJobs(
  context: DepositContext & PayoutContext & { readonly db: Database; readonly clock: Clock },
  provider: ScreeningProvider | null,
): readonly Work[] {
  const everyMs = provider === null ? 5_000 : 500;
  const screening = { ...context, provider };
  return [
    { name: "screening", everyMs, run: (signal) => screenTransfers(screening, signal) },
    { name: "payout-screening", everyMs, run: (signal) => screenPayouts(screening, signal) },
  ];
}
