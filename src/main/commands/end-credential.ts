import { revokeCredential } from "../../accounts/revoke-credential.ts";
import type { CommandContext } from "./command-context.ts";
import { findCredential } from "./find-credential.ts";
import { useDeployment } from "./use-deployment.ts";

/**
 * `sluice credential revoke ACCOUNT ID`: ends a credential and its sessions, from the next request on. Its key goes on
 * signing the callbacks of what it created. Rejects when the account has no such credential.
 */
export async function endCredential(
  configFile: string,
  options: { readonly accountId: string; readonly credentialId: string },
  context: CommandContext,
): Promise<void> {
  const { accountId, credentialId } = options;
  await useDeployment(configFile, context, async (foundation) => {
    const { isDesignated } = await findCredential(foundation, accountId, credentialId);
    await revokeCredential(foundation, accountId, credentialId);
    context.print(`Credential ${credentialId} is revoked.`);
    if (!isDesignated) return;
    context.print(
      `It is the account's designated one, and goes on signing: to change that, sluice credential designate ${accountId} ID`,
    );
  });
}
