import { rotateTokenKeys } from "../../accounts/tokens/rotate-token-keys.ts";
import { defaultTokenSettings } from "../../accounts/tokens/token-settings.ts";
import type { CommandContext } from "./command-context.ts";
import { useDeployment } from "./use-deployment.ts";

/**
 * `sluice token-keys rotate`: makes a new signing key for access tokens. Every process signs with it within a minute;
 * tokens of the older keys hold until they expire, and those keys go then.
 */
export async function replaceTokenKeys(configFile: string, context: CommandContext): Promise<void> {
  await useDeployment(configFile, context, async (foundation) => {
    const id = await rotateTokenKeys(foundation, {
      ...defaultTokenSettings,
      issuer: foundation.baseUrl,
    });
    context.print(`New key  ${id}`);
    context.print(
      `Signed with by every process within a minute. Tokens of older keys hold until they expire, ${defaultTokenSettings.accessSeconds / 60} minutes.`,
    );
  });
}
