import { t, translateIfKnown } from "./t.ts";

const patterns: readonly (readonly [RegExp, (value: string) => string])[] = [
  [/^Refunded by payout (\d+)$/, (id) => t("Refunded by payout {id}", { id })],
  [/^Partially refunded by payout (\d+)$/, (id) => t("Partially refunded by payout {id}", { id })],
  [
    /^Held by screening \(risk (\d+) of 100\)$/,
    (risk) => t("Held by screening (risk {risk} of 100)", { risk }),
  ],
];

/** Why the service puts a payment on hold, by the words of its message. */
const causes = {
  overpaid: t("overpaid"),
  underpaid: t("underpaid"),
  "paid late": t("paid late"),
  "second payment": t("second payment"),
  "paid after cancellation": t("paid after cancellation"),
  "under review": t("under review"),
};

export type HoldCause = keyof typeof causes;

/** The cause that the message about a payment on hold gives; null if it gives none that is known. */
export function holdCause(message: string | null): HoldCause | null {
  const words = /^On hold: (.+)$/.exec(message ?? "")?.[1];
  return words !== undefined && Object.hasOwn(causes, words) ? (words as HoldCause) : null;
}

/** The cause in the language of the page. */
export function holdCauseText(cause: HoldCause): string {
  return causes[cause];
}

/** The service's message about a transfer in the language of the page, if it is one that people meet often. */
export function messageText(message: string): string {
  const cause = holdCause(message);
  if (cause !== null) return t("On hold: {cause}", { cause: holdCauseText(cause) });
  for (const [pattern, translate] of patterns) {
    const value = pattern.exec(message)?.[1];
    if (value !== undefined) return translate(value);
  }
  return translateIfKnown(message);
}
