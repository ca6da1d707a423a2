import type { Executor } from "../platform/db/database.ts";
import { isObjectId } from "../platform/kernel/object-id.ts";
import { reject } from "../platform/kernel/rejection.ts";
import { readAccountName } from "./account.store.ts";

/** Rejects `notFound` unless an account has this id. */
export async function assertAccountExists(db: Executor, accountId: string): Promise<void> {
  if (!isObjectId(accountId) || (await readAccountName(db, accountId)) === null)
    reject("notFound", `There is no account ${accountId}.`);
}
