import { t, translateIfKnown } from "./t.ts";

const patterns: readonly (readonly [RegExp, (value: string) => string])[] = [
  [/^Refunded by payout (\d+)$/, (id) => t("Refunded by payout {id}", { id })],
  [/^Partially refunded by payout (\d+)$/, (id) => t("Partially refunded by payout {id}", { id })],
  [
    /^Held by screening \(risk (\d+) of 100\)$/,
    (risk) => t("Held by screening (risk {risk} of 100)", { risk }),
  ],
];

/** The service's message about a transfer in the language of the page, if it is one that people meet often. */
export function messageText(message: string): string {
  for (const [pattern, translate] of patterns) {
    const value = pattern.exec(message)?.[1];
    if (value !== undefined) return translate(value);
  }
  return translateIfKnown(message);
}
