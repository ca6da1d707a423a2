import { defaultPeopleSettings } from "../../accounts/people/context.ts";
import { resetAccessByOperator } from "../../accounts/team/give-access.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { CommandContext } from "./command-context.ts";
import { findMember } from "./find-member.ts";
import { useDeployment } from "./use-deployment.ts";

/**
 * `sluice member reset-access ACCOUNT MEMBER`: for an Owner who is locked out. Prints a login with a first password; second factors are
 * removed and sessions end. Rejects, with nothing changed, an unknown account or member and an unfit login.
 */
export async function resetMemberAccess(
  configFile: string,
  options: {
    readonly accountId: string;
    readonly memberId: string;
    /** Null: the one they have. */
    readonly login: string | null;
  },
  context: CommandContext,
): Promise<void> {
  const { accountId, memberId, login } = options;
  await useDeployment(configFile, context, async (foundation) => {
    const { name } = await findMember(foundation, accountId, memberId);
    const given = await resetAccessByOperator(
      {
        ...foundation,
        people: defaultPeopleSettings,
      },
      { accountId, memberId },
      login,
    );
    const { access } = present(given, "the member just found");
    for (const line of [
      `Member          ${memberId} (${name}) of account ${accountId}`,
      `Login           ${access.login}`,
      `First password  ${access.password}`,
      "It is changed at the first sign-in. Second factors are removed, sessions have ended.",
    ]) {
      context.print(line);
    }
  });
}
