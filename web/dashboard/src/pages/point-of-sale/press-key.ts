/** The keys of the amount pad, in rows of three. */
export const padKeys = ["1", "2", "3", "4", "5", "6", "7", "8", "9", ".", "0", "back"] as const;
export type PadKey = (typeof padKeys)[number];

const wholeDigitsMax = 9;

/** The amount after a key: decimal text as typed, of at most `decimals` digits after the point. A key that does not fit changes nothing. */
export function pressKey(amount: string, key: PadKey, decimals: number): string {
  if (key === "back") return amount.slice(0, -1);
  if (key === ".")
    return amount.includes(".") || decimals === 0 ? amount : `${amount === "" ? "0" : amount}.`;
  const next = amount === "0" ? key : amount + key;
  const [whole = "", fraction = ""] = next.split(".");
  return whole.length > wholeDigitsMax || fraction.length > decimals ? amount : next;
}

/** Whether the amount can be charged. */
export function isChargeable(amount: string): boolean {
  return /[1-9]/.test(amount);
}
