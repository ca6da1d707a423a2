import {
  readWebhookSecretStatus,
  rotateWebhookSecret,
  showWebhookSecret,
  type WebhookSecretStatus,
} from "../../accounts/webhook-secrets/administer-webhook-secret.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { administer } from "./administer.ts";
import type { CommandContext } from "./command-context.ts";

/** `sluice webhook-secret status ACCOUNT`: prints when the secret was rotated and how long the previous one also signs. */
export function webhookSecretStatusCommand(
  configFile: string,
  accountId: string,
  context: CommandContext,
): Promise<void> {
  return administer(configFile, context, async (accounts) => {
    printStatus(context, await readWebhookSecretStatus(accounts, "operator", accountId));
  });
}

/** `sluice webhook-secret show ACCOUNT`: prints the secret and records that in the audit log. */
export function showWebhookSecretCommand(
  configFile: string,
  accountId: string,
  context: CommandContext,
): Promise<void> {
  return administer(configFile, context, async (accounts) => {
    const shown = await showWebhookSecret(accounts, "operator", accountId);
    context.print(`Webhook secret  ${shown.secret}`);
    printStatus(context, shown);
  });
}

/** `sluice webhook-secret rotate ACCOUNT`: replaces the secret and prints the new one. */
export function rotateWebhookSecretCommand(
  configFile: string,
  { accountId, graceHours }: { readonly accountId: string; readonly graceHours: number },
  context: CommandContext,
): Promise<void> {
  return administer(configFile, context, async (accounts) => {
    const shown = await rotateWebhookSecret(accounts, "operator", accountId, graceHours);
    context.print(`Webhook secret  ${shown.secret}`);
    printStatus(context, shown);
  });
}

function printStatus(
  { print }: CommandContext,
  { rotatedAt, formerUntil }: WebhookSecretStatus,
): void {
  print(`Rotated         ${rotatedAt === null ? "never" : formatTimestamp(rotatedAt)}`);
  if (formerUntil !== null)
    print(`The previous secret also signs until ${formatTimestamp(formerUntil)}.`);
}
