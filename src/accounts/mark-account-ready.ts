import { reject } from "../platform/kernel/rejection.ts";
import { storeReadiness } from "./account.store.ts";
import type { AccountsContext } from "./context.ts";

/** Says whether an account's registration and KYC are complete; from the next request on it counts. Rejects `notFound`. */
export async function markAccountReady(
  context: Pick<AccountsContext, "db">,
  accountId: string,
  isReady: boolean,
): Promise<void> {
  if (!(await storeReadiness(context.db, accountId, isReady)))
    reject("notFound", `There is no account ${accountId}.`);
}
