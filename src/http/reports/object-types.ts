/** What callbacks and events are about. */
export const objectTypes = [
  { value: "deposit", name: "about a deposit" },
  { value: "payout", name: "about a payout" },
] as const;
