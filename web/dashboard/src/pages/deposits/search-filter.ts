/** Chooses the API filter for a search text by its form: ID, address or label. */
export function searchFilter(text: string): Readonly<Record<string, string>> {
  if (/^#?[1-9]\d{0,7}$/.test(text)) return { id: text.replace("#", "") };
  const isAddress = /^0x[0-9a-f]{40}$/i.test(text) || /^[a-z0-9:]{26,}$/i.test(text);
  return isAddress ? { address: text } : { label: text };
}
