import { recordAudit } from "../../accounts/audit/record-audit.ts";
import type { Currency } from "../../currencies/currency.ts";
import { saveCommissionTerms } from "../../ledger/commission.store.ts";
import type { CommissionDirection } from "../../ledger/commission.ts";
import { parseDecimal } from "../../platform/kernel/decimal.ts";
import type { CommandContext } from "./command-context.ts";
import { orNoAccount } from "./or-no-account.ts";
import { findCurrency } from "./set-currency-state.ts";
import { useDeployment } from "./use-deployment.ts";

/** A percentage has four digits after the point, so that its units are millionths of the amount. */
const percentExp = 4;
/** Digits that are read where no currency says how many. */
const longestExp = 18;

/**
 * `sluice commission DIRECTION PERCENT`: sets what the operator takes of deposits or payouts, for an account or everybody and for a
 * currency or all of them; the most specific terms win. It holds for deposits made from now on. Rejects amounts that are
 * none, and a fixed part or minimum without a currency.
 */
export async function setCommission(
  configFile: string,
  options: {
    readonly direction: CommissionDirection;
    /** Decimal percentage of the amount, 0 to 100. */
    readonly percent: string;
    /** Decimal amounts of the currency. */
    readonly fixed: string;
    readonly minimum: string;
    /** Alpha code; null: every currency. */
    readonly currency: string | null;
    /** Null: every account. */
    readonly accountId: string | null;
  },
  context: CommandContext,
): Promise<void> {
  const { direction, accountId } = options;
  const rate = unitsOf("percentage", options.percent, percentExp);
  if (rate > 1_000_000n) throw new Error("a percentage is at most 100");
  await useDeployment(configFile, context, async ({ db, clock, currencies }) => {
    const currency = options.currency === null ? null : findCurrency(currencies, options.currency);
    const terms = {
      ratePpm: Number(rate),
      fixedUnits: partOf("fixed part", options.fixed, currency),
      minimumUnits: partOf("minimum", options.minimum, currency),
    };
    const scope = { accountId, currency: currency?.id ?? null, direction };
    await orNoAccount(accountId, () =>
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
  if (units > 0n && currency === null) throw new Error(`a ${name} needs a currency`);
  return units;
}

function unitsOf(name: string, text: string, exp: number): bigint {
  const parsed = parseDecimal(text, exp);
  if (parsed.kind === "excessDigits")
    throw new Error(`a ${name} has ${exp} digits after the point here: "${text}" has more`);
  if (parsed.kind === "malformed" || parsed.units < 0n)
    throw new Error(`"${text}" is no ${name}: write digits and a point, as 0.25`);
  return parsed.units;
}
