import { amountText } from "../../currencies/amount-text.ts";
import { adjustBooks } from "../../ledger/adjust-books.ts";
import type { CommandContext } from "./command-context.ts";
import { findCurrency } from "./set-currency-state.ts";
import { withDeployment } from "./with-deployment.ts";

/**
 * `sluice adjust ALPHA`: records the difference between ledger and chain that the last reconciliation found in a
 * currency as the operator's gain or loss. Only for differences whose cause is understood. Payouts resume when the
 * next reconciliation finds no difference.
 */
export async function adjustCurrency(
  configFile: string,
  alpha: string,
  context: CommandContext,
): Promise<void> {
  await withDeployment(configFile, context, async ({ db, clock, currencies }) => {
    const currency = findCurrency(currencies, alpha);
    const { chain } = currency;
    if (chain === null) throw new Error(`${currency.alpha} is not on a chain`);
    const units = await adjustBooks({ db, clock }, chain, currency.id);
    const amount = amountText(units < 0n ? -units : units, currency);
    context.print(
      units === 0n
        ? `${currency.alpha}: the last reconciliation found no difference`
        : `${amount} ${units > 0n ? "added to" : "taken from"} the ledger as the operator's gain or loss`,
    );
  });
}
