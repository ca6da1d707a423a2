/** The address formats by currency ID, from `OPTIONS /payout/`. */
export type AddressMasks = Readonly<
  Record<string, readonly { readonly mask: readonly string[] | null }[]>
>;

/**
 * Whether the text matches one of the currency's address formats. True without known formats: the service validates the address
 * in any case, including its checksum.
 */
export function looksLikeAddress(masks: AddressMasks, currency: string, text: string): boolean {
  const formats = masks[currency] ?? [];
  if (formats.length === 0 || formats.some(({ mask }) => mask === null)) return true;
  return formats.some(({ mask }) =>
    (mask ?? []).some((pattern) => new RegExp(pattern, "u").test(text)),
  );
}

/** The currencies that the address fits, by its format; all of them where it fits none, such as while it is being typed. */
export function currenciesOfAddress<Currency extends { readonly id: string }>(
  masks: AddressMasks,
  currencies: readonly Currency[],
  address: string,
): readonly Currency[] {
  const fitting = currencies.filter(({ id }) => looksLikeAddress(masks, id, address));
  return fitting.length === 0 ? currencies : fitting;
}
