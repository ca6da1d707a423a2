import { adjustBooks } from "../../ledger/adjust-books.ts";
import { formatDecimal } from "../../platform/kernel/decimal.ts";
import type { CommandContext } from "./command-context.ts";
import { findCurrency } from "./set-currency-state.ts";
import { useDeployment } from "./use-deployment.ts";

/**
 * `sluice adjust ALPHA`: books what the last comparison of ledger and chain found different in a currency as the operator's own
 * gain or loss. For somebody who has understood where it comes from; payouts go on once the next comparison finds them equal.
 */
export async function adjustCurrency(
  configFile: string,
  alpha: string,
  context: CommandContext,
): Promise<void> {
  await useDeployment(configFile, context, async ({ db, clock, currencies }) => {
    const currency = findCurrency(currencies, alpha);
    const { chain } = currency;
    if (chain === null) throw new Error(`${currency.alpha} is on no chain`);
    const units = await adjustBooks({ db, clock }, chain, currency.id);
    const amount = formatDecimal(units < 0n ? -units : units, currency.exp);
    context.print(
      units === 0n
        ? `${currency.alpha}: the ledger and the chain agreed when they were last compared`
        : `${currency.alpha}: ${amount} ${units > 0n ? "added to" : "taken from"} the books as the operator's own`,
    );
  });
}
