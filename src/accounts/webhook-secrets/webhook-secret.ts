import type { Random } from "../../platform/kernel/random.ts";

/** A Standard Webhooks secret: `whsec_` and the base64 of 32 random bytes. */
export function generateWebhookSecret(random: Random): string {
  return `whsec_${Buffer.from(random.bytes(32)).toString("base64")}`;
}

/** The context that an account's webhook secret is sealed with. */
export function webhookSecretContext(accountId: string): string {
  return `account/${accountId}/webhook-secret`;
}
