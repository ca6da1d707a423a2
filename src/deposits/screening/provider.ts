/** A transfer of which a screening service is asked what it thinks, before money is credited or a payment signed. */
export type ScreeningQuestion = {
  readonly direction: "deposit" | "payout";
  /** Chain as named by the alpha code of its coin. */
  readonly chain: string;
  /** Alpha code. */
  readonly currency: string;
  /** Decimal text with all digits of the currency. */
  readonly amount: string;
  /** Our address on a deposit, the receiver's on a payout. */
  readonly address: string;
  /** Addresses that a deposit came from, as far as the chain says; empty on a payout. */
  readonly from: readonly string[];
  /** Null on a payout that is not signed yet. */
  readonly txid: string | null;
};

export type ScreeningResult = {
  /** 0 (nothing known against it) to 100. */
  readonly risk: number;
  readonly verdict: "green" | "red";
};

/** A screening service. Throws `Unavailable` when it does not answer or cannot tell: the transfer then stays queued. */
export type ScreeningProvider = {
  readonly name: string;
  readonly screen: (question: ScreeningQuestion, signal: AbortSignal) => Promise<ScreeningResult>;
};
