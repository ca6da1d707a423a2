import { createAccount } from "../../accounts/create-account.ts";
import { createCredential } from "../../accounts/credentials/create-credential.ts";
import { createMember } from "../../accounts/members/create-member.ts";
import { generateRecoveryCode } from "../../accounts/people/recovery-code.ts";
import { present } from "../../platform/kernel/assert.ts";
import { administer } from "./administer.ts";
import type { CommandContext } from "./command-context.ts";

/**
 * `sluice account NAME`: creates an account with an Owner, an API credential for programs and a login for the dashboard, and prints
 * their passwords and the webhook secret, which cannot be read again. Each call creates another account.
 */
export async function createFirstAccount(
  configFile: string,
  name: string,
  context: CommandContext,
): Promise<void> {
  if (name.trim() === "") throw new Error("an account needs a name");
  await administer(configFile, context, async (accounts) => {
    const { id: accountId, webhookSecret } = await createAccount(accounts, { name });
    const { member, access } = await createMember(accounts, "operator", {
      accountId,
      name: "Owner",
      role: "owner",
      wallets: "all",
      // Logins are unique across accounts, so a member of another account may already have `owner-ID`.
      login: `owner-${accountId}-${generateRecoveryCode(accounts.random).slice(0, 4)}`,
    });
    const owner = present(access, "the Owner's login");
    const { credential, password } = await createCredential(accounts, "operator", {
      accountId,
      memberId: member.id,
      label: "",
      allowedNetworks: [],
    });
    for (const line of [
      `Account           ${accountId} (${name})`,
      `Login             ${credential.login}`,
      `Password          ${password}`,
      `Webhook secret    ${webhookSecret}`,
      `Dashboard         ${owner.login}`,
      `Initial password  ${owner.password}`,
      "Login and password are for programs. People sign in to the dashboard with the dashboard login; its initial password must be changed at the first sign-in.",
      "Save all of this now: passwords and the webhook secret are not shown again.",
    ]) {
      context.print(line);
    }
  });
}
