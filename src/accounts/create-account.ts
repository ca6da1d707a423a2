import { present } from "../platform/kernel/assert.ts";
import { storeAccount, takeAccountId } from "./account.store.ts";
import { recordAudit } from "./audit/record-audit.ts";
import type { AccountsContext } from "./context.ts";
import { generateWebhookSecret, webhookSecretContext } from "./webhook-secret.ts";

export type NewAccount = {
  readonly name: string;
  /** Support address shown on payment pages. */
  readonly helpEmail?: string;
  /** False while registration or KYC is incomplete; default true. */
  readonly isReady?: boolean;
};

/** As the operator, creates a tenant. The webhook secret (`whsec_...`, Standard Webhooks) is generated and kept sealed. */
export async function createAccount(
  context: AccountsContext,
  account: NewAccount,
): Promise<{ readonly id: string; readonly webhookSecret: string }> {
  const id = present(await takeAccountId(context.db), "a new account's id");
  const webhookSecret = generateWebhookSecret(context.random);
  const at = context.clock.now();
  await context.db.transaction(async (tx) => {
    await storeAccount(tx, {
      id,
      name: account.name,
      isReady: account.isReady ?? true,
      helpEmail: account.helpEmail ?? null,
      webhookSecretSealed: context.seal.seal(Buffer.from(webhookSecret), webhookSecretContext(id)),
      createdAt: at,
    });
    await recordAudit(tx, {
      by: { accountId: id },
      action: "account.created",
      object: { type: "account", id },
      summary: { name: account.name },
      at,
    });
  });
  return { id, webhookSecret };
}
