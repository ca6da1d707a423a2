/** Which filter of the interface a text in the list's own search stands for, by its shape. */
export function searchFilter(text: string): Readonly<Record<string, string>> {
  if (/^#?[1-9]\d{0,7}$/.test(text)) return { id: text.replace("#", "") };
  const isAddress = /^0x[0-9a-f]{40}$/i.test(text) || /^[a-z0-9:]{26,}$/i.test(text);
  return isAddress ? { address: text } : { label: text };
}
