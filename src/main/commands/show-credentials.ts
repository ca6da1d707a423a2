import type { Credential } from "../../accounts/credential.store.ts";
import { listCredentials } from "../../accounts/list-credentials.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import type { CommandContext } from "./command-context.ts";
import { findMembers } from "./find-member.ts";
import { printTable } from "./print-table.ts";
import { useDeployment } from "./use-deployment.ts";

/** `sluice credential list ACCOUNT`: prints an account's credentials, revoked ones too. Rejects when there is no such account. */
export async function showCredentials(
  configFile: string,
  accountId: string,
  context: CommandContext,
): Promise<void> {
  await useDeployment(configFile, context, async (foundation) => {
    await findMembers(foundation, accountId);
    const credentials = await listCredentials(foundation, accountId);
    printTable(context, [
      ["CREDENTIAL", "MEMBER", "LOGIN", "MADE", "USABLE"],
      ...credentials.map((credential) => [
        credential.id,
        credential.memberId,
        credential.login,
        formatTimestamp(credential.createdAt),
        describeUse(credential),
      ]),
    ]);
  });
}

function describeUse({ revokedAt, allowedNetworks, isDesignated }: Credential): string {
  const from = allowedNetworks.length === 0 ? "anywhere" : allowedNetworks.join(" ");
  const use = revokedAt === null ? `from ${from}` : `revoked ${formatTimestamp(revokedAt)}`;
  return isDesignated ? `${use}, designated` : use;
}
