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
