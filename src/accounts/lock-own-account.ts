import type { Executor } from "../platform/db/database.ts";
import { lockAccount } from "./account.store.ts";

/**
 * Locks an account until the transaction ends, so that changes of its settings run one after another and rules over several of them
 * hold. Take it before any other lock of the transaction.
 */
export function lockOwnAccount(tx: Executor, accountId: string): Promise<void> {
  return lockAccount(tx, accountId);
}
