import { useQuery } from "@tanstack/react-query";
import type { PayoutBatch } from "../../../../../client/src/api-types.gen.ts";

type Refusals = NonNullable<PayoutBatch["attributes"]["faults"]>;

/** Where the cache keeps the rows that were refused while the batch was created. */
export function batchFaultsKey(batchId: string): readonly string[] {
  return ["payout-batch-faults", batchId];
}

/** Where the cache keeps the rows that were refused while the batch was approved. */
export function unapprovedKey(batchId: string): readonly string[] {
  return ["payout-batch-unapproved", batchId];
}

/** The rows that were refused when this tab approved the batch: only the response of the approval names them. */
export function useUnapproved(batchId: string): Refusals {
  const refused = useQuery<Refusals>({ queryKey: unapprovedKey(batchId), enabled: false });
  return refused.data ?? [];
}

/** The rows that were refused when this tab created the batch: only the response of the creation names them. */
export function useRefusals(batchId: string): Refusals {
  const refused = useQuery<Refusals>({ queryKey: batchFaultsKey(batchId), enabled: false });
  return refused.data ?? [];
}
