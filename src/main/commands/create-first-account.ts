import { createAccount } from "../../accounts/create-account.ts";
import { createCredential } from "../../accounts/create-credential.ts";
import { createMember } from "../../accounts/create-member.ts";
import { defaultPasswordHashing } from "../../accounts/password-hash.ts";
import type { CommandContext } from "./command-context.ts";
import { useDeployment } from "./use-deployment.ts";

/**
 * `sluice account NAME`: makes an account with an Owner and an API credential, and prints login, password and
 * webhook secret, which nobody can read again. Each call makes another account.
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
    for (const line of [
      `Account         ${id} (${name})`,
      `Login           ${login}`,
      `Password        ${password}`,
      `Webhook secret  ${webhookSecret}`,
      "Keep password and webhook secret now: they are not shown again.",
    ]) {
      context.print(line);
    }
  });
}
