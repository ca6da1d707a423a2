import type { Executor } from "../platform/db/database.ts";
import { fillWalletRows } from "./callback-wallets.store.ts";

const batch = 500;

/**
 * Fills in the wallets of callbacks that have none: those written by processes from before migration 0028. Each batch
 * is a statement of its own, so a run that is cut short keeps what it has filled.
 */
export async function fillCallbackWallets(db: Executor, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await fillWalletRows(db, batch)) === batch);
}
