/** What OPTIONS /payout/ tells of a currency's addresses. */
export type AddressMasks = Readonly<
  Record<string, readonly { readonly mask: readonly string[] | null }[]>
>;

/**
 * Whether a text has a form that addresses of the currency have. True where nothing is told of them: the service says more than
 * the form can, such as a checksum.
 */
export function looksLikeAddress(masks: AddressMasks, currency: string, text: string): boolean {
  const forms = masks[currency] ?? [];
  if (forms.length === 0 || forms.some(({ mask }) => mask === null)) return true;
  return forms.some(({ mask }) => (mask ?? []).some((one) => new RegExp(one, "u").test(text)));
}
