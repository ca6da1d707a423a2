import { receiveInternally } from "../../deposits/payments/receive-internally.ts";
import { creditWallet } from "../../payouts/create/credit-wallet.ts";
import type { PayInternally } from "../../payouts/create/internal-payment.ts";
import { depositContext, type Foundation } from "./foundation.ts";

/** Credits the receivers of payouts that stay inside the service. */
export function createPayInternally(foundation: Foundation): PayInternally {
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
