import type { FeeQuote, Payment } from "../../chains/paying-port.ts";

export type FeeQuestion = {
  readonly chain: string;
  readonly payment: Payment;
  readonly walletId: string;
  /** The paying wallet's available money, units of the currency paid (or worth so much). */
  readonly balance: bigint;
};

/**
 * Live fees for one payment. Null when the chain is paused, not paid from here, or without a fresh quote (503/4018); throws
 * `Unavailable` when the node answers with an error (500 `node_unavailable`).
 */
export type QuoteFees = (question: FeeQuestion) => Promise<FeeQuote | null>;
