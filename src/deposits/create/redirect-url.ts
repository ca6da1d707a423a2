const lengthMax = 2048;

export const redirectUrlFault = `payment_page_redirect_url must be an http or https URL of at most ${lengthMax} characters.`;

/** Whether a payment page may link back to the URL. */
export function isRedirectUrl(text: string): boolean {
  if (text.length > lengthMax || !URL.canParse(text)) return false;
  const { protocol } = new URL(text);
  return protocol === "https:" || protocol === "http:";
}
