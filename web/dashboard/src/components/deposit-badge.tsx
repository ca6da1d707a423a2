import { isPositive } from "./decimals.ts";
import { StatusBadge } from "./status-badge.tsx";

/** What a deposit's badge depends on. */
export type DepositState = {
  readonly attributes: {
    readonly status: number;
    readonly target_amount_requested: string | null;
    readonly target_paid: string;
  };
};

/** A deposit's status. One for any amount stays Created after its payments and shows as "Open" then. */
export function DepositBadge({ deposit: { attributes } }: { readonly deposit: DepositState }) {
  const { status, target_amount_requested: requested, target_paid: paid } = attributes;
  const isOpen = status === 2 && requested === null && isPositive(paid);
  return isOpen ? (
    <StatusBadge tone="good" label="Open" />
  ) : (
    <StatusBadge kind="deposit" value={status} />
  );
}
