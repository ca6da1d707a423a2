import { createAccount } from "../../accounts/create-account.ts";
import { createCredential } from "../../accounts/create-credential.ts";
import { createMember } from "../../accounts/create-member.ts";
import { defaultPeopleSettings } from "../../accounts/people/context.ts";
import { generateRecoveryCode } from "../../accounts/people/recovery-code.ts";
import { createPersonLogin } from "../../accounts/team/give-access.ts";
import { defaultPasswordHashing } from "../../accounts/tokens/password-hash.ts";
import type { CommandContext } from "./command-context.ts";
import { useDeployment } from "./use-deployment.ts";

/**
 * `sluice account NAME`: makes an account with an Owner, an API credential for programs and a login for the dashboard, and prints
 * their passwords and the webhook secret this once. Each call makes another account.
 */
export async function createFirstAccount(
  configFile: string,
  name: string,
  context: CommandContext,
): Promise<void> {
  if (name.trim() === "") throw new Error("an account needs a name");
  await useDeployment(configFile, context, async (foundation) => {
    const accounts = { ...foundation, passwordHashing: defaultPasswordHashing };
    const { id, webhookSecret } = await createAccount(accounts, { name });
    const memberId = await createMember(accounts, {
      accountId: id,
      name: "Owner",
      role: "owner",
      wallets: "all",
    });
    const { login, password } = await createCredential(accounts, { accountId: id, memberId });
    const person = {
      // Logins are unique over all accounts, and anyone may already have chosen the plain name.
      login: `owner-${id}-${generateRecoveryCode(foundation.random).slice(0, 4)}`,
      password: generateRecoveryCode(foundation.random),
    };
    await createPersonLogin(
      { ...foundation, people: defaultPeopleSettings },
      { accountId: id, memberId, ...person, isInitial: true },
    );
    for (const line of [
      `Account         ${id} (${name})`,
      `Login           ${login}`,
      `Password        ${password}`,
      `Webhook secret  ${webhookSecret}`,
      `Dashboard       ${person.login}`,
      `First password  ${person.password}`,
      "Login and password are for programs. The dashboard takes its own login; its first password is changed at the first sign-in.",
      "Keep all of this now: passwords and secret are not shown again.",
    ]) {
      context.print(line);
    }
  });
}
