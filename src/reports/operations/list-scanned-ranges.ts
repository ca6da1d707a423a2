import { assertOperator } from "../../accounts/operator.ts";
import type { Principal } from "../../accounts/principal.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { readScannedRanges, type ScannedRange } from "./chain.store.ts";
import type { ChainsContext } from "./list-chains.ts";

export type { ScannedRange };

/** Which heights of a chain were read. Rejects with permissionDenied, notFound for a chain that is not followed. */
export async function listScannedRanges(
  { db, chains }: Pick<ChainsContext, "db" | "chains">,
  principal: Principal,
  chainId: string,
): Promise<readonly ScannedRange[]> {
  await assertOperator(db, principal);
  if (!chains.some(({ chain }) => chain === chainId)) reject("notFound", "No chain has this code.");
  return readScannedRanges(db, chainId);
}
