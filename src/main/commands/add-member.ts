import { createMember } from "../../accounts/create-member.ts";
import type { Role } from "../../accounts/principal.ts";
import type { CommandContext } from "./command-context.ts";
import { findMembers } from "./find-member.ts";
import { useDeployment } from "./use-deployment.ts";
import { describeWallets, readWalletRights } from "./wallet-rights.ts";

/**
 * `sluice member add ACCOUNT NAME --role ROLE`: adds someone (a person or a system) who acts for an account, for all its
 * wallets or for those that are named. Rejects, with nothing added, an unknown account or wallet and an empty name.
 */
export async function addMember(
  configFile: string,
  options: {
    readonly accountId: string;
    readonly name: string;
    readonly role: Role;
    /** As `ID` or `ID:pay`; none: all wallets. */
    readonly wallets: readonly string[];
  },
  context: CommandContext,
): Promise<void> {
  const { accountId, name, role } = options;
  if (name.trim() === "") throw new Error("a member needs a name");
  await useDeployment(configFile, context, async (foundation) => {
    await findMembers(foundation, accountId);
    const wallets =
      options.wallets.length === 0
        ? "all"
        : await readWalletRights(foundation, accountId, options.wallets);
    const id = await createMember(foundation, { accountId, name, role, wallets });
    context.print(
      `Member  ${id} (${name}) of account ${accountId}: ${role}, ${describeWallets(wallets)}`,
    );
    context.print(`To let it use the API: sluice credential add ${accountId} ${id}`);
  });
}
