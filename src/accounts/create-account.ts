import { storeAccount, takeAccountId } from "./account.store.ts";
import { recordAudit } from "./audit/record-audit.ts";
import type { AccountsContext } from "./context.ts";
import { generateWebhookSecret, webhookSecretContext } from "./webhook-secrets/webhook-secret.ts";

/** Creates an account without members, as the operator. The generated webhook secret is stored sealed. */
export async function createAccount(
  { db, clock, random, seal }: Pick<AccountsContext, "db" | "clock" | "random" | "seal">,
  { name }: { readonly name: string },
): Promise<{ readonly id: string; readonly webhookSecret: string }> {
  const id = await takeAccountId(db);
  const webhookSecret = generateWebhookSecret(random);
  const at = clock.now();
  await db.transaction(async (tx) => {
    const webhookSecretSealed = seal.seal(Buffer.from(webhookSecret), webhookSecretContext(id));
    await storeAccount(tx, { id, name, webhookSecretSealed, createdAt: at });
    await recordAudit(tx, {
      by: { accountId: id },
      action: "account.created",
      object: { type: "account", id },
      summary: { name },
      at,
    });
  });
  return { id, webhookSecret };
}
