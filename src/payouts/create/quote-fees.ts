import type { AccountFunds, FeeQuote, Payment, ReceiverState } from "../../chains/paying-port.ts";

export type FeeQuestion = {
  readonly chain: string;
  readonly payment: Payment;
  readonly walletId: string;
  /** The paying wallet's available balance, in units of the payment currency or its equivalent. */
  readonly balance: bigint;
};

/** Current fees of a payment, and whether its receiver can take it now. */
export type PaymentQuote = FeeQuote & {
  readonly receiver: ReceiverState;
  /** What the paying account holds of the currency. Absent where the chain keeps nothing of it back. */
  readonly payer?: AccountFunds;
};

/**
 * Quotes live fees for one payment and asks about its receiver. Null if the chain is paused, not paid from here, or without a fresh quote
 * (503/4018). Throws `Unavailable` if the node responds with an error (500 `node_unavailable`).
 */
export type QuoteFees = (question: FeeQuestion) => Promise<PaymentQuote | null>;
