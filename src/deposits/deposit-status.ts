import type { HoldReason } from "./transfers/transfer.ts";

/** The interface's numbers for a deposit's status. */
export const depositStatus = { created: 2, paid: 3, canceled: 4, unresolved: 5 } as const;

export type DepositStatus = (typeof depositStatus)[keyof typeof depositStatus];

export type StatusReason = HoldReason | "expired" | "refunded";

export const depositStatuses = [
  { value: depositStatus.created, name: "Created" },
  { value: depositStatus.paid, name: "Paid" },
  { value: depositStatus.canceled, name: "Canceled" },
  { value: depositStatus.unresolved, name: "Unresolved" },
] as const;
