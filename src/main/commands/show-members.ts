import type { CommandContext } from "./command-context.ts";
import { findMembers } from "./find-member.ts";
import { printTable } from "./print-table.ts";
import { useDeployment } from "./use-deployment.ts";
import { describeWallets } from "./wallet-rights.ts";

/** `sluice member list ACCOUNT`: prints who acts for an account. Rejects when there is no such account. */
export async function showMembers(
  configFile: string,
  accountId: string,
  context: CommandContext,
): Promise<void> {
  await useDeployment(configFile, context, async (foundation) => {
    const members = await findMembers(foundation, accountId);
    printTable(context, [
      ["MEMBER", "ROLE", "SEES", "NAME"],
      ...members.map(({ id, role, wallets, name }) => [id, role, describeWallets(wallets), name]),
    ]);
  });
}
