import type { AccountsContext } from "../context.ts";
import { webhookSecretContext } from "../webhook-secrets/webhook-secret.ts";
import { callbackKeyContext } from "./callback-key.ts";
import { readSealedSigningKeys } from "./credential.store.ts";

/** The keys that sign an account's callbacks. */
export type SigningKeys = {
  /** Raw SHA-256 of login and password, 32 bytes. */
  readonly callbackKey: Uint8Array;
  /** Standard Webhooks secret, `whsec_...`. */
  readonly webhookSecret: string;
  /** The previous secret, which also signs during the grace period after a rotation. */
  readonly formerWebhookSecret: string | null;
};

/**
 * Reads and opens the signing keys of these credentials, by credential id; unknown credentials are absent. A revoked credential's key is
 * included: it keeps signing the callbacks of the objects it created.
 */
export async function readSigningKeys(
  context: Pick<AccountsContext, "db" | "seal" | "clock">,
  credentials: readonly { readonly accountId: string; readonly credentialId: string }[],
): Promise<ReadonlyMap<string, SigningKeys>> {
  const open = (sealed: Uint8Array, accountId: string): string =>
    Buffer.from(context.seal.open(sealed, webhookSecretContext(accountId))).toString();
  const sealed = await readSealedSigningKeys(context.db, credentials, context.clock.now());
  return new Map(
    sealed.map((row) => [
      row.credentialId,
      {
        callbackKey: context.seal.open(row.callbackKeySealed, callbackKeyContext(row.credentialId)),
        webhookSecret: open(row.webhookSecretSealed, row.accountId),
        formerWebhookSecret:
          row.formerWebhookSecretSealed === null
            ? null
            : open(row.formerWebhookSecretSealed, row.accountId),
      },
    ]),
  );
}
