import { confirmMemberByOperator } from "../../accounts/team/confirm-member.ts";
import type { CommandContext } from "./command-context.ts";
import { findMember } from "./find-member.ts";
import { useDeployment } from "./use-deployment.ts";

/**
 * `sluice member confirm ACCOUNT MEMBER`: for an account with several Owners of whom none is independent of the one that added the
 * member. Rejects an unknown account or member.
 */
export async function confirmAccountMember(
  configFile: string,
  of: { readonly accountId: string; readonly memberId: string },
  context: CommandContext,
): Promise<void> {
  await useDeployment(configFile, context, async (foundation) => {
    const { name } = await findMember(foundation, of.accountId, of.memberId);
    const isNew = await confirmMemberByOperator(foundation, of);
    context.print(
      `Member  ${of.memberId} (${name}) of account ${of.accountId} is ${isNew ? "now" : "already"} confirmed.`,
    );
  });
}
