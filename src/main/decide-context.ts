import { createPayoutListener } from "../payouts/spend-listener.ts";
import type { DecideContext } from "../recovery/decide-unexplained.ts";
import { joinListeners } from "../spends/spend-listener.ts";
import { withdrawFromSpend } from "../spends/withdraw-spend.ts";
import { createTreasuryListener } from "../treasury/spend-listener.ts";
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
  return {
    db,
    clock,
    random,
    currencies,
    refunds,
    listener,
    withdrawFromSpend: (tx, spendId, now) => withdrawFromSpend(tx, listener, spendId, now),
    addressingOf: (chain) => payeeAddressing(foundation, chain),
  };
}
