import type { ChainWriter } from "../../chains/paying-port.ts";
import type { Executor } from "../../platform/db/database.ts";
import { readTipHeight } from "./block.store.ts";
import { readBusySenders } from "./claim.store.ts";

/** An account that lends its numbers, and the next of them. */
export type Lender = { readonly address: string; readonly next: bigint };

/**
 * Those of the account's lenders of whose numbers no live spend claims one. None if the node is behind what we have read: it does not know yet that
 * a number was used, and the claim of that number may have ended.
 */
export async function findIdleLenders(
  db: Executor,
  chain: string,
  { lenders }: Pick<NonNullable<ChainWriter["account"]>, "lenders">,
  signal: AbortSignal,
): Promise<readonly Lender[]> {
  if (lenders === undefined) return [];
  const { height, accounts } = await lenders.list(signal);
  const busy = await readBusySenders(db, chain, accounts);
  // Read last, so that no claim can have ended in a later block before the claims were read.
  const tipHeight = await readTipHeight(db, chain);
  if (tipHeight !== null && tipHeight > height) return [];
  return accounts.filter(({ address }) => !busy.has(address));
}
