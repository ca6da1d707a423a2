/** A transfer to be screened before funds are credited or a payout is signed. */
export type ScreeningQuestion = {
  readonly direction: "deposit" | "payout";
  /** The alpha code of the chain's coin. */
  readonly chain: string;
  /** Alpha code. */
  readonly currency: string;
  /** Decimal text with all digits of the currency. */
  readonly amount: string;
  /** Our address for a deposit, the receiver's for a payout. */
  readonly address: string;
  /** The senders of a deposit's payment, as far as the chain reveals them; empty for a payout. */
  readonly from: readonly string[];
  /** Null for a payout that is not signed yet. */
  readonly txid: string | null;
};

export type ScreeningResult = {
  /** 0 (no known risk) to 100. */
  readonly risk: number;
  readonly verdict: "green" | "red";
};

/** A screening service. Throws `Unavailable` when it does not answer or has no verdict: the transfer then stays queued. */
export type ScreeningProvider = {
  readonly name: string;
  readonly screen: (question: ScreeningQuestion, signal: AbortSignal) => Promise<ScreeningResult>;
};
