import { reject } from "../platform/kernel/rejection.ts";
import { recordAudit } from "./audit/record-audit.ts";
import type { AccountsContext } from "./context.ts";
import { storeRevocation } from "./credential.store.ts";

/**
 * As the operator, ends a credential: its tokens are refused from the next request on. Its key goes on signing the callbacks of what
 * it created. Rejects `notFound`.
 */
export async function revokeCredential(
  context: Pick<AccountsContext, "db" | "clock">,
  accountId: string,
  credentialId: string,
): Promise<void> {
  const at = context.clock.now();
  await context.db.transaction(async (tx) => {
    if (!(await storeRevocation(tx, accountId, credentialId, at)))
      reject("notFound", `The account has no credential ${credentialId}.`);
    await recordAudit(tx, {
      by: { accountId },
      action: "credential.revoked",
      object: { type: "credential", id: credentialId },
      summary: {},
      at,
    });
  });
}
