import type { AccountsContext } from "./context.ts";
import { type Credential, readCredentials } from "./credential.store.ts";

/** All credentials of an account, revoked ones too, oldest first; no secrets among them. */
export function listCredentials(
  context: Pick<AccountsContext, "db">,
  accountId: string,
): Promise<readonly Credential[]> {
  return readCredentials(context.db, accountId);
}
