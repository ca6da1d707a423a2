import { callbackKeyContext } from "./callback-key.ts";
import type { AccountsContext } from "./context.ts";
import { readDesignatedId, readSealedSigningKeys } from "./credential.store.ts";
import { webhookSecretContext } from "./webhook-secret.ts";

/** What a callback of an account is signed with. */
export type SigningKeys = {
  /** Raw SHA-256 of login and password, 32 bytes. */
  readonly callbackKey: Uint8Array;
  /** Standard Webhooks secret, `whsec_...`. */
  readonly webhookSecret: string;
  /** The one before it, which signs beside it for a while after a rotation. */
  readonly formerWebhookSecret: string | null;
};

/**
 * Opens the keys of these credentials, by credential id; one that does not exist is missing from the answer. A
 * revoked credential's key is given too: it signs on until it is replaced.
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

/** Whose key signs callbacks of objects that were not made through the API; null while the account has no credential. */
export function readDesignatedCredential(
  context: Pick<AccountsContext, "db">,
  accountId: string,
): Promise<string | null> {
  return readDesignatedId(context.db, accountId);
}
