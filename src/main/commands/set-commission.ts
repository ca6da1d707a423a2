import { recordAudit } from "../../accounts/audit/record-audit.ts";
import type { Currency } from "../../currencies/currency.ts";
import { saveCommissionTerms } from "../../ledger/commission.store.ts";
import type { CommissionDirection } from "../../ledger/commission.ts";
import { parseDecimal } from "../../platform/kernel/decimal.ts";
import type { CommandContext } from "./command-context.ts";
import { findCurrency } from "./set-currency-state.ts";
import { withDeployment } from "./with-deployment.ts";
import { withKnownAccount } from "./with-known-account.ts";

/** Percentages have four decimals, so their units are millionths of the amount. */
const percentExp = 4;
/** Decimals to parse if no currency determines them. */
const longestExp = 18;

/**
 * `sluice commission DIRECTION PERCENT`: sets the commission on deposits or payouts, for one account or all, and for
 * one currency or all; the most specific terms apply, and only to deposits created from now on. Rejects malformed
 * amounts, and a fixed part or minimum without a currency.
 */
export async function setCommission(
  configFile: string,
  options: {
    readonly direction: CommissionDirection;
    /** A decimal percentage of the amount, 0 to 100. */
    readonly percent: string;
    /** Decimal amounts in the currency. */
    readonly fixed: string;
    readonly minimum: string;
    /** Alpha code; null for every currency. */
    readonly currency: string | null;
    /** Null for every account. */
    readonly accountId: string | null;
  },
  context: CommandContext,
): Promise<void> {
  const { direction, accountId } = options;
  const rate = unitsOf("percentage", options.percent, percentExp);
  if (rate > 1_000_000n) throw new Error("a percentage can be at most 100");
  await withDeployment(configFile, context, async ({ db, clock, currencies }) => {
    const currency = options.currency === null ? null : findCurrency(currencies, options.currency);
    const terms = {
      ratePpm: Number(rate),
      fixedUnits: partOf("fixed part", options.fixed, currency),
      minimumUnits: partOf("minimum", options.minimum, currency),
    };
    const scope = { accountId, currency: currency?.id ?? null, direction };
    await withKnownAccount(accountId, () =>
      db.transaction(async (tx) => {
        await saveCommissionTerms(tx, scope, terms);
        if (accountId === null) return;
        const { percent, fixed, minimum } = options;
        await recordAudit(tx, {
          by: { accountId },
          action: "commission.changed",
          at: clock.now(),
          object: null,
          summary: {
            direction,
            percent,
            fixed,
            minimum,
            currency: currency === null ? "every currency" : currency.alpha,
          },
        });
      }),
    );
    const payers = accountId === null ? "every account" : `account ${accountId}`;
    const money = currency === null ? "every currency" : currency.alpha;
    context.print(
      `${direction}s of ${money}, ${payers}: ${options.percent} % + ${options.fixed}, at least ${options.minimum}`,
    );
  });
}

function partOf(name: string, text: string, currency: Currency | null): bigint {
  const units = unitsOf(name, text, currency?.exp ?? longestExp);
  if (units > 0n && currency === null) throw new Error(`a ${name} requires a currency`);
  return units;
}

function unitsOf(name: string, text: string, exp: number): bigint {
  const parsed = parseDecimal(text, exp);
  if (parsed.kind === "excessDigits")
    throw new Error(`a ${name} has at most ${exp} decimals here: "${text}"`);
  if (parsed.kind === "malformed" || parsed.units < 0n)
    throw new Error(`Invalid ${name} "${text}". Use a number such as 0.25.`);
  return parsed.units;
}
