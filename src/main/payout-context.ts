import { compileCallbackPolicy, parseCallbackUrl } from "../callbacks/callback-url.ts";
import { decideAvailability } from "../currencies/decide-availability.ts";
import type { PayoutCreateContext } from "../http/routes/payout-create.ts";
import { assert, present } from "../kernel/assert.ts";
import { parseDecimal } from "../kernel/decimal.ts";
import type { CurrencyId } from "../kernel/money.ts";
import type { CalculateContext } from "../payouts/calculate.ts";
import type { PayoutContext } from "../payouts/change-payouts.ts";
import { createReadPayoutFacts } from "../payouts/facts.store.ts";
import { createFindOwnDestination } from "../payouts/own-destination.store.ts";
import type { ApprovePayout } from "../payouts/payout-intent.ts";
import type { QuoteFees } from "../payouts/quote-fees.ts";
import { createPayoutListener } from "../payouts/spend-listener.ts";
import { createPayoutWriter } from "../payouts/write-payouts.ts";
import { withdrawFromSpend } from "../spends/withdraw-spend.ts";
import { callbackSettings } from "./callback-settings.ts";
import type { Foundation } from "./foundation.ts";
import { createPayInternally } from "./pay-internally.ts";
import { payeeAddressing } from "./payee-addressing.ts";

/** What the routes of payouts are made with. */
export function payoutContext(foundation: Foundation, quoteFees: QuoteFees) {
  const { config, db, clock, random, seal, currencies, findRate, findKeyspace } = foundation;
  const policy = compileCallbackPolicy(callbackSettings(config));
  const payInternally = createPayInternally(foundation);
  const approve = approval(foundation);
  const listener = createPayoutListener({ currencies, random });
  const settings = config.payouts;
  const shared = {
    ...{ currencies, findRate, findKeyspace, quoteFees },
    findPayeeAddressing: (chain: string) => payeeAddressing(foundation, chain),
    readFacts: createReadPayoutFacts(db, (currency, row) =>
      decideAvailability(currency, {
        enabledChains: foundation.enabledChains,
        state: {
          isDisabled: row.is_disabled,
          isUnavailable: row.is_unavailable,
          isUnpaid: row.is_unpaid,
        },
        accountBlocked: row.is_blocked,
      }),
    ),
    findOwnDestination: createFindOwnDestination(db),
  } satisfies CalculateContext;
  const creating: PayoutCreateContext = {
    ...shared,
    callbackUrlFault: (url) => {
      const parsed = parseCallbackUrl(url, policy);
      return "refused" in parsed ? parsed.refused : null;
    },
    tokenFees: settings?.token_fees ?? "operator",
    travelRuleThresholds: travelRuleThresholds(foundation),
    isScreened: config.screening !== undefined,
    write: createPayoutWriter({
      ...{ db, clock, random, currencies, seal, approve, payInternally },
    }),
  };
  const changing: PayoutContext = { currencies, random };
  return {
    creating,
    calculating: shared,
    keeping: { seal, currencies, findPayeeAddressing: shared.findPayeeAddressing },
    acting: {
      ...changing,
      ...{ db, clock, seal, approve, payInternally },
      withdrawFromSpend: (
        tx: Parameters<typeof withdrawFromSpend>[0],
        spendId: string,
        now: Parameters<typeof withdrawFromSpend>[3],
      ) => withdrawFromSpend(tx, listener, spendId, now),
    },
  };
}

/** Without an approval key nothing is quoted, so nothing comes here that would leave the service. */
function approval({ approvePayout }: Foundation): ApprovePayout {
  return (intent) => {
    assert(approvePayout !== null, "this process approves no payouts");
    return approvePayout(intent);
  };
}

function travelRuleThresholds({ config, currencies }: Foundation): ReadonlyMap<CurrencyId, bigint> {
  const given = Object.entries(config.payouts?.travel_rule_from ?? {});
  return new Map(
    given.map(([alpha, amount]) => {
      const { id, exp } = present(currencies.byAlpha(alpha), `currency ${alpha}`);
      const parsed = parseDecimal(amount, exp);
      assert(parsed.kind === "units", `payouts.travel_rule_from.${alpha}: ${amount}`);
      return [id, parsed.units];
    }),
  );
}
