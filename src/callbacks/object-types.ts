/** The objects of callbacks and events. */
export const objectTypes = [
  { value: "deposit", name: "about a deposit" },
  { value: "payout", name: "about a payout" },
] as const;
