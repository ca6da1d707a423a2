import { createCredential } from "../../accounts/create-credential.ts";
import { defaultPasswordHashing } from "../../accounts/tokens/password-hash.ts";
import type { CommandContext } from "./command-context.ts";
import { findMember } from "./find-member.ts";
import { useDeployment } from "./use-deployment.ts";

/**
 * `sluice credential add ACCOUNT MEMBER`: makes a credential of a member and prints login and password, which nobody can
 * read again. Rejects, with nothing made, an unknown account or member, and a network that is none.
 */
export async function issueCredential(
  configFile: string,
  options: {
    readonly accountId: string;
    readonly memberId: string;
    /** In CIDR notation, or single addresses; none: it may be used from anywhere. */
    readonly networks: readonly string[];
  },
  context: CommandContext,
): Promise<void> {
  const { accountId, memberId, networks } = options;
  await useDeployment(configFile, context, async (foundation) => {
    await findMember(foundation, accountId, memberId);
    const { id, login, password } = await createCredential(
      { ...foundation, passwordHashing: defaultPasswordHashing },
      { accountId, memberId, allowedNetworks: networks },
    );
    for (const line of [
      `Credential  ${id} of member ${memberId}`,
      `Login       ${login}`,
      `Password    ${password}`,
      `Usable      from ${networks.length === 0 ? "anywhere" : networks.join(" ")}`,
      "Keep the password now: it is not shown again.",
    ]) {
      context.print(line);
    }
  });
}
