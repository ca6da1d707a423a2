import { rotateTokenKeys } from "../../accounts/tokens/rotate-token-keys.ts";
import { defaultTokenSettings } from "../../accounts/tokens/token-settings.ts";
import type { CommandContext } from "./command-context.ts";
import { withDeployment } from "./with-deployment.ts";

/** `sluice token-keys rotate`: creates a new signing key for access tokens, which every process uses within a minute. */
export async function rotateTokenKeysCommand(
  configFile: string,
  context: CommandContext,
): Promise<void> {
  await withDeployment(configFile, context, async (foundation) => {
    const settings = { ...defaultTokenSettings, issuer: foundation.baseUrl };
    context.print(`New key  ${await rotateTokenKeys(foundation, settings)}`);
    context.print(
      `All processes use it within a minute. Existing tokens stay valid until they expire, at most ${settings.accessSeconds / 60} minutes.`,
    );
  });
}
