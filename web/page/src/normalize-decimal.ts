/**
 * A typed amount with a decimal point. A decimal comma is accepted where it cannot be a thousands separator: "12,50" and "0,001" are
 * read, "1,000" stays as typed.
 */
export function normalizeDecimal(typed: string): string {
  const text = typed.trim();
  const isUnambiguous = /^(?:0,\d+|\d+,(?!\d{3}$)\d+)$/.test(text);
  return isUnambiguous ? text.replace(",", ".") : text;
}
