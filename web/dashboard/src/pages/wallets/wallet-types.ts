/** The interface's kinds of wallet, and what each is good for. */
export const walletTypes = [
  {
    value: "1",
    label: "Merchant",
    purpose: "Invoices in dollars, euros or a coin, paid in whatever the payer chooses.",
  },
  {
    value: "2",
    label: "Enterprise",
    purpose: "One coin; each deposit is an address that takes any amount.",
  },
  { value: "3", label: "Custody", purpose: "Keeps one coin and pays nothing out." },
  { value: "4", label: "NFT", purpose: "Keeps collectibles; takes no deposits." },
  {
    value: "5",
    label: "Swap",
    purpose: "One coin, exchanged when it moves to another of your wallets.",
  },
] as const;

export function walletTypeName(type: number | string): string {
  return walletTypes.find(({ value }) => value === String(type))?.label ?? String(type);
}
