/** Where the payer's choice of language is kept, for the payment page and the page of payment links. */
export const languageKey = "sluice-pay-language";
