import { reject } from "../platform/kernel/rejection.ts";
import { type Member, readMembers } from "./account.store.ts";
import type { AccountsContext } from "./context.ts";

/** Everyone who acts for an account, the first first. Rejects `notFound` when there is no such account. */
export async function listMembers(
  context: Pick<AccountsContext, "db">,
  accountId: string,
): Promise<readonly Member[]> {
  return (
    (await readMembers(context.db, accountId)) ??
    reject("notFound", `There is no account ${accountId}.`)
  );
}
