import type { FeeQuote, Payment } from "../../chains/paying-port.ts";

export type FeeQuestion = {
  readonly chain: string;
  readonly payment: Payment;
  readonly walletId: string;
  /** The paying wallet's available balance, in units of the payment currency or its equivalent. */
  readonly balance: bigint;
};

/**
 * Quotes live fees for one payment. Null if the chain is paused, not paid from here, or without a fresh quote
 * (503/4018). Throws `Unavailable` if the node responds with an error (500 `node_unavailable`).
 */
export type QuoteFees = (question: FeeQuestion) => Promise<FeeQuote | null>;
