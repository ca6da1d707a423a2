import { setOperator } from "../../accounts/operator.ts";
import { isObjectId } from "../../platform/kernel/object-id.ts";
import type { CommandContext } from "./command-context.ts";
import { useDeployment } from "./use-deployment.ts";

/**
 * `sluice operator ACCOUNT on|off`: whether the Owners and Admins of an account see what concerns the whole deployment and may
 * stop its payouts. It holds from their next request on. Rejects an unknown account.
 */
export async function switchOperator(
  configFile: string,
  { accountId, isOperator }: { readonly accountId: string; readonly isOperator: boolean },
  context: CommandContext,
): Promise<void> {
  await useDeployment(configFile, context, async (foundation) => {
    const isThere = isObjectId(accountId) && (await setOperator(foundation, accountId, isOperator));
    if (!isThere) throw new Error(`there is no account ${accountId}`);
    context.print(
      `Account ${accountId} ${isOperator ? "operates this deployment" : "does not operate this deployment"}`,
    );
  });
}
