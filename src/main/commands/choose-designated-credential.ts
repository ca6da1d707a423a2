import { designateCredential } from "../../accounts/designate-credential.ts";
import type { CommandContext } from "./command-context.ts";
import { findCredential } from "./find-credential.ts";
import { useDeployment } from "./use-deployment.ts";

/**
 * `sluice credential designate ACCOUNT ID`: names the credential whose key signs callbacks of what was not made through the
 * API. Rejects, with nothing changed, one that is unknown or revoked.
 */
export async function chooseDesignatedCredential(
  configFile: string,
  options: { readonly accountId: string; readonly credentialId: string },
  context: CommandContext,
): Promise<void> {
  const { accountId, credentialId } = options;
  await useDeployment(configFile, context, async (foundation) => {
    await findCredential(foundation, accountId, credentialId);
    await designateCredential(foundation, accountId, credentialId);
    context.print(`Credential ${credentialId} is the account's designated one.`);
  });
}
