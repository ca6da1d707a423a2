import { listOperatorAccounts } from "../../accounts/operator.store.ts";
import { type SettleContext, settlePayouts } from "../../payouts/send/settle-payouts.ts";
import { createPayoutListener } from "../../payouts/send/spend-listener.ts";
import type { DecideContext } from "../../treasury/recovery/decide-unexplained.ts";
import { combineListeners } from "../../treasury/spends/spend-listener.ts";
import { withdrawSpend } from "../../treasury/spends/withdraw-spend.ts";
import { createTreasuryListener } from "../../treasury/sweeping/treasury-listener.ts";
import { isFundedByCoins } from "../families/families.ts";
import type { Foundation } from "./foundation.ts";
import { payeeAddressing } from "./payee-addressing.ts";

/** The context of decisions about unexplained transactions. */
export function decideContext(foundation: Foundation): DecideContext {
  const { db, clock, random, currencies, refunds } = foundation;
  const listener = combineListeners([
    createTreasuryListener(isFundedByCoins),
    createPayoutListener(foundation),
  ]);
  const settling: SettleContext = {
    random,
    currencies,
    refunds,
    listener,
    withdrawFromSpend: (tx, spendId, now) => withdrawSpend(tx, listener, spendId, now),
    addressingOf: (chain) => payeeAddressing(foundation, chain),
  };
  return {
    db,
    clock,
    listOperatorAccounts,
    settlePaid: (tx, transaction, payoutIds, now) =>
      settlePayouts(tx, settling, transaction, payoutIds, now),
  };
}
