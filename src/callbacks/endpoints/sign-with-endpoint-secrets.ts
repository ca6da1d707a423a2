import type { Executor } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { Seal } from "../../platform/kernel/seal.ts";
import type { DispatchContext, SigningKeys } from "../deliver/dispatch-callbacks.ts";
import { readSealedEndpointSecrets } from "./webhook-endpoint.store.ts";
import { endpointSecretContext } from "./webhook-endpoint.ts";

/**
 * The signing keys of a dispatcher: `readKeys` reads those of a credential and its account; for a webhook endpoint, a removed one
 * included, its own secrets take the place of the account's.
 */
export function signWithEndpointSecrets(
  { db, clock, seal }: { readonly db: Executor; readonly clock: Clock; readonly seal: Seal },
  readKeys: (accountId: string, credentialId: string) => Promise<SigningKeys | null>,
): DispatchContext["readSigningKeys"] {
  return async (accountId, credentialId, endpointId) => {
    const keys = await readKeys(accountId, credentialId);
    if (endpointId === null || keys === null) return keys;
    const sealed = await readSealedEndpointSecrets(db, accountId, endpointId, clock.now());
    if (sealed === null) return null;
    const open = (value: Uint8Array): string =>
      Buffer.from(seal.open(value, endpointSecretContext(endpointId))).toString();
    return {
      ...keys,
      webhookSecret: open(sealed.secret),
      formerWebhookSecret: sealed.former === null ? null : open(sealed.former),
    };
  };
}
