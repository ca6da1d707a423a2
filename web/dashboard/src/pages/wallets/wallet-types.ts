import type { PlainText } from "../../language/catalogs.ts";
import { t } from "../../language/t.ts";

/** The API's wallet types and what each is for. */
export const walletTypes = [
  {
    value: "1",
    label: "Merchant",
    purpose:
      "Request payments in dollars, euros or crypto. The payer chooses the currency to pay in.",
  },
  {
    value: "2",
    label: "Enterprise",
    purpose: "One cryptocurrency. Each deposit is an address that accepts any amount.",
  },
  { value: "3", label: "Custody", purpose: "Holds one cryptocurrency. No payouts." },
  { value: "4", label: "NFT", purpose: "Holds collectibles. No deposits." },
  {
    value: "5",
    label: "Swap",
    purpose: "One cryptocurrency, converted when you move it to another of your wallets.",
  },
] as const satisfies readonly {
  value: string;
  label: PlainText;
  purpose: PlainText;
}[];

export function walletTypeName(type: number | string): string {
  const known = walletTypes.find(({ value }) => value === String(type));
  return known === undefined ? String(type) : t(known.label);
}
