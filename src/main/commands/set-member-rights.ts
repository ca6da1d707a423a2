import { changeMemberRights } from "../../accounts/change-member-rights.ts";
import type { Role, WalletRights } from "../../accounts/principal.ts";
import type { Foundation } from "../build/foundation.ts";
import type { CommandContext } from "./command-context.ts";
import { findMember } from "./find-member.ts";
import { useDeployment } from "./use-deployment.ts";
import { describeWallets, readWalletRights } from "./wallet-rights.ts";

/**
 * `sluice member rights ACCOUNT MEMBER --role ROLE`: gives a member another role and, where they are named, other wallets.
 * It holds from the member's next request on. Rejects, with nothing changed, an unknown account, member or wallet.
 */
export async function setMemberRights(
  configFile: string,
  options: {
    readonly accountId: string;
    readonly memberId: string;
    readonly role: Role;
    /** As `ID` or `ID:pay`; none: those that it has. */
    readonly wallets: readonly string[] | "all";
  },
  context: CommandContext,
): Promise<void> {
  const { accountId, memberId, role } = options;
  await useDeployment(configFile, context, async (foundation) => {
    await findMember(foundation, accountId, memberId);
    const wallets = await readChange(foundation, accountId, options.wallets);
    await changeMemberRights(foundation, { accountId, memberId, role, wallets });
    const member = await findMember(foundation, accountId, memberId);
    context.print(
      `Member  ${memberId} (${member.name}) of account ${accountId}: ${member.role}, ${describeWallets(member.wallets)}`,
    );
  });
}

async function readChange(
  foundation: Foundation,
  accountId: string,
  wallets: readonly string[] | "all",
): Promise<WalletRights | null> {
  if (wallets === "all") return "all";
  return wallets.length === 0 ? null : await readWalletRights(foundation, accountId, wallets);
}
