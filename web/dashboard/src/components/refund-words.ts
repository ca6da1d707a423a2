import { t } from "../language/t.ts";

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
  address: t("Refund address"),
  action: t("Send refund"),
  sent: t("Refund created"),
  quote: t("Refund quote"),
  amount: t("Refund amount"),
  lostTitle: t("No response to your last refund"),
  lostText: t("We got no response to your refund. It may have been created."),
};

/** For returns of unattributed payments. */
export const returnWords: RefundWords = {
  address: t("Return address"),
  action: t("Send return"),
  sent: t("Return created"),
  quote: t("Return quote"),
  amount: t("Returned amount"),
  lostTitle: t("No response to your last return"),
  lostText: t("We got no response to your return. It may have been created."),
};
