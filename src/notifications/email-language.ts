/** The languages of emails, which are those of the payment page and the dashboard. */
export const emailLanguages = ["en", "de", "es", "zh"] as const;

export type EmailLanguage = (typeof emailLanguages)[number];

/** A language that was stored; English for a reader whose language is unknown. */
export function knownLanguage(stored: unknown): EmailLanguage {
  return emailLanguages.find((known) => known === stored) ?? "en";
}
