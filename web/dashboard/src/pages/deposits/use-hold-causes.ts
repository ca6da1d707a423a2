import { type HoldCause, holdCause } from "../../language/message-text.ts";
import { useDepositTransfers } from "./deposit-transfers.tsx";

/** Why the payments of a deposit are on hold; null if that cannot be read; undefined while loading. */
export function useHoldCauses(depositId: string): readonly HoldCause[] | null | undefined {
  const transfers = useDepositTransfers(depositId);
  if (transfers.isPending) return undefined;
  return transfers.data?.flatMap(({ attributes }) => holdCause(attributes.message) ?? []) ?? null;
}
