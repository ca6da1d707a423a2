import type { Deposit } from "../deposit.ts";
import { depositStatus } from "../deposit-status.ts";

/** Whether a deposit is or may still become Paid; without a requested amount it never does. */
export function mayMailReceipt({ status, targetAmountRequested }: Deposit): boolean {
  return targetAmountRequested !== null && status !== depositStatus.canceled;
}
