/** The texts of a form that sends money back. */
export type RefundWords = {
  readonly address: string;
  readonly action: string;
  readonly sent: string;
  readonly quote: string;
  readonly amount: string;
  readonly lostTitle: string;
  readonly lostText: string;
};

/** For refunds of deposits. */
export const refundWords: RefundWords = {
  address: "Refund address",
  action: "Send refund",
  sent: "Refund sent",
  quote: "Refund quote",
  amount: "Refund amount",
  lostTitle: "No response to your last refund",
  lostText: "We got no response to your refund. It may have been created.",
};

/** For returns of unattributed payments. */
export const returnWords: RefundWords = {
  address: "Return address",
  action: "Send return",
  sent: "Return sent",
  quote: "Return quote",
  amount: "Returned amount",
  lostTitle: "No response to your last return",
  lostText: "We got no response to your return. It may have been created.",
};
