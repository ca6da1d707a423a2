import { type SettleContext, settlePaid } from "../../payouts/send/settle-paid.ts";
import { createPayoutListener } from "../../payouts/send/spend-listener.ts";
import type { DecideContext } from "../../treasury/recovery/decide-unexplained.ts";
import { joinListeners } from "../../treasury/spends/spend-listener.ts";
import { withdrawFromSpend } from "../../treasury/spends/withdraw-spend.ts";
import { createTreasuryListener } from "../../treasury/sweeping/spend-listener.ts";
import { isUtxoChain } from "./chain-keyspace.ts";
import type { Foundation } from "./foundation.ts";
import { payeeAddressing } from "./payee-addressing.ts";

/** What a person's decision about an unexplained transaction takes. */
export function decideContext(foundation: Foundation): DecideContext {
  const { db, clock, random, currencies, refunds } = foundation;
  const listener = joinListeners([
    createTreasuryListener(isUtxoChain),
    createPayoutListener(foundation),
  ]);
  const settling: SettleContext = {
    random,
    currencies,
    refunds,
    listener,
    withdrawFromSpend: (tx, spendId, now) => withdrawFromSpend(tx, listener, spendId, now),
    addressingOf: (chain) => payeeAddressing(foundation, chain),
  };
  return {
    db,
    clock,
    settlePaid: (tx, made, payoutIds, now) => settlePaid(tx, settling, made, payoutIds, now),
  };
}
