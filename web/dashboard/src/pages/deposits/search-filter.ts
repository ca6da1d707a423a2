type Filter = Readonly<Record<string, string>>;

/** The longest texts that the filters accept. */
const labelLength = 32;
const trackingIdLength = 128;

/**
 * Chooses the API filters for a search text by its form: ID, address, tracking ID or label. The list shows what the first of them with
 * a result finds. Codes such as A-1001 are tracking IDs rather than labels.
 */
export function searchFilter(text: string): readonly [Filter, ...Filter[]] {
  if (/^#[1-9]\d{0,7}$/.test(text)) return [{ id: text.slice(1) }];
  const label: readonly Filter[] = text.length > labelLength ? [] : [{ label: text }];
  const tracking: readonly Filter[] = text.length > trackingIdLength ? [] : [{ tracking_id: text }];
  const names = /\d/.test(text) ? [...tracking, ...label] : [...label, ...tracking];
  if (/^[1-9]\d{0,7}$/.test(text)) return [{ id: text }, ...names];
  const isAddress = /^0x[0-9a-f]{40}$/i.test(text) || /^[a-z0-9:]{26,}$/i.test(text);
  if (isAddress) return [{ address: text }, ...names];
  const [first, ...others] = names;
  return [first ?? { label: text }, ...others];
}
