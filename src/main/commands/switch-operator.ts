import { setOperator } from "../../accounts/operator.ts";
import { isObjectId } from "../../platform/kernel/object-id.ts";
import type { CommandContext } from "./command-context.ts";
import { withDeployment } from "./with-deployment.ts";

/**
 * `sluice operator ACCOUNT on|off`: sets whether an account's Owners and Admins see the whole deployment and may stop its
 * payouts. It takes effect with their next request. Rejects an unknown account.
 */
export async function switchOperator(
  configFile: string,
  { accountId, isOperator }: { readonly accountId: string; readonly isOperator: boolean },
  context: CommandContext,
): Promise<void> {
  await withDeployment(configFile, context, async (foundation) => {
    const isThere = isObjectId(accountId) && (await setOperator(foundation, accountId, isOperator));
    if (!isThere) throw new Error(`Account ${accountId} does not exist`);
    context.print(
      `Account ${accountId} ${isOperator ? "operates this deployment" : "does not operate this deployment"}`,
    );
  });
}
