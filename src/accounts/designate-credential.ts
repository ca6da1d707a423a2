import { reject } from "../platform/kernel/rejection.ts";
import { recordAudit } from "./audit/record-audit.ts";
import type { AccountsContext } from "./context.ts";
import { storeDesignation } from "./credential.store.ts";

/**
 * As the operator, names the credential whose key signs callbacks of objects that were not made through the API. Rejects `notFound`
 * for a credential that is unknown, another account's or revoked.
 */
export async function designateCredential(
  context: Pick<AccountsContext, "db" | "clock">,
  accountId: string,
  credentialId: string,
): Promise<void> {
  await context.db.transaction(async (tx) => {
    if (!(await storeDesignation(tx, accountId, credentialId)))
      reject("notFound", `The account has no usable credential ${credentialId}.`);
    await recordAudit(tx, {
      by: { accountId },
      action: "credential.designated",
      object: { type: "credential", id: credentialId },
      summary: {},
      at: context.clock.now(),
    });
  });
}
