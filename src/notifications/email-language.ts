/** The languages of emails, which are those of the payment page and the dashboard. */
export const emailLanguages = ["en", "de", "es", "zh"] as const;

export type EmailLanguage = (typeof emailLanguages)[number];
