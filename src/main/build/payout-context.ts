import { createCallbackUrlCheck } from "../../callbacks/callback-url.ts";
import { availabilityFromRow } from "../../currencies/availability-row.ts";
import { receiveInternally } from "../../deposits/payments/receive-internally.ts";
import type { PayoutCreateContext } from "../../http/payouts/payout-create.ts";
import { createFindPositionFault } from "../../ledger/position-limits.ts";
import type { PayoutContext } from "../../payouts/change-payouts.ts";
import type { CalculateContext } from "../../payouts/create/calculate.ts";
import { creditWallet } from "../../payouts/create/credit-wallet.ts";
import { createReadPayoutFacts } from "../../payouts/create/facts.store.ts";
import { createFindInternalDestination } from "../../payouts/create/internal-destination.store.ts";
import type { PayInternally } from "../../payouts/create/internal-payment.ts";
import type { QuoteFees } from "../../payouts/create/quote-fees.ts";
import { createPayoutWriter } from "../../payouts/create/write-payouts.ts";
import type { ApprovePayout } from "../../payouts/send/payout-intent.ts";
import { createPayoutListener } from "../../payouts/send/spend-listener.ts";
import { assert } from "../../platform/kernel/assert.ts";
import { withdrawSpend } from "../../treasury/spends/withdraw-spend.ts";
import type { Config } from "../config/config.ts";
import { configAmounts } from "../config/config-amount.ts";
import { positionLimits } from "../config/position-limits.ts";
import { callbackSettings } from "./callback-settings.ts";
import { depositContext, type Foundation } from "./foundation.ts";
import { createReadAddresses, payeeAddressing } from "./payee-addressing.ts";

/** The contexts of the payout routes. */
export function payoutContext(foundation: Foundation, quoteFees: QuoteFees) {
  const {
    config,
    db,
    clock,
    random,
    seal,
    currencies,
    findRate,
    freezeRates,
    findKeyspace,
    refunds,
  } = foundation;
  const payInternally = createPayInternally(foundation);
  const approve = approval(foundation);
  const listener = createPayoutListener({ currencies, random, refunds });
  const positions = positionLimits(config, currencies);
  const travelRuleThresholds = configAmounts(currencies, config.payouts?.travel_rule_from ?? {});
  const findPayeeAddressing = (chain: string) => payeeAddressing(foundation, chain);
  const shared = {
    currencies,
    findRate,
    findKeyspace,
    quoteFees,
    findPositionFault: createFindPositionFault(db, positions),
    findPayeeAddressing,
    readFacts: createReadPayoutFacts(db, clock, (currency, row) =>
      availabilityFromRow(currency, foundation.chainSwitches, row),
    ),
    findOwnDestination: createFindInternalDestination(db, findPayeeAddressing),
    travelRuleThresholds,
  } satisfies CalculateContext;
  const creating: PayoutCreateContext = {
    ...shared,
    freezeRates,
    callbackUrlFault: createCallbackUrlCheck(callbackSettings(config)),
    tokenFees: config.payouts?.token_fees ?? "wallet",
    isScreened: config.screening !== undefined,
    write: createPayoutWriter({
      db,
      clock,
      random,
      currencies,
      seal,
      approve,
      payInternally,
      positions,
    }),
  };
  const changing: PayoutContext = { currencies, random, refunds };
  return {
    creating,
    calculating: shared,
    requirements: { ...shared, db, clock },
    keeping: { seal, currencies, findPayeeAddressing: shared.findPayeeAddressing },
    acting: {
      ...changing,
      readAddresses: createReadAddresses(foundation),
      db,
      clock,
      seal,
      approve,
      payInternally,
      freezeRates,
      positions,
      payoutRevalueAfterSeconds: payoutRevalueAfterSeconds(config),
      approverMinAgeSeconds: config.people.approver_min_age_seconds,
      withdrawFromSpend: (
        tx: Parameters<typeof withdrawSpend>[0],
        spendId: string,
        now: Parameters<typeof withdrawSpend>[3],
      ) => withdrawSpend(tx, listener, spendId, now),
    },
  };
}

/** Without `payouts` in the configuration no payout can wait for a decision. */
export function payoutRevalueAfterSeconds({ payouts }: Config): number {
  return payouts?.revalue_after_seconds ?? 0;
}

/** Without an approval key nothing is quoted, so only payments inside the service get here. */
function approval({ approvePayout }: Foundation): ApprovePayout {
  return (intent) => {
    assert(approvePayout !== null, "this process approves no payouts");
    return approvePayout(intent);
  };
}

/** Credits the receivers of payouts that stay inside the service. */
function createPayInternally(foundation: Foundation): PayInternally {
  const deposits = depositContext(foundation);
  return async (tx, payout, target, findRate, now) => {
    if (target.kind === "wallet") {
      await creditWallet(tx, { ...foundation, findRate }, payout, target, now);
      return;
    }
    const { accountId, walletId, depositId } = target;
    const amount = { units: payout.paidUnits, currency: payout.currency };
    const receipt = { accountId, walletId, depositId, amount, chain: payout.chain };
    await receiveInternally(tx, { ...deposits, findRate }, receipt, now);
  };
}
