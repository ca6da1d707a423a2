import { present } from "../../platform/kernel/assert.ts";
import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { PeopleContext } from "../people/context.ts";
import { requireConfirmed } from "../people/require-person.ts";
import type { Principal } from "../principal.ts";
import { readWebhookSecret, storeNextWebhookSecret } from "../webhook-secret.store.ts";
import { generateWebhookSecret, webhookSecretContext } from "../webhook-secret.ts";
import { requireAdministrator } from "./require-administrator.ts";

/** The account's webhook secret without the secret. */
export type WebhookSecretState = {
  readonly rotatedAt: Instant | null;
  /** Until when the one before it signs too; null: it does not. */
  readonly formerUntil: Instant | null;
};

export type ShownWebhookSecret = WebhookSecretState & { readonly secret: string };

/** When it was last changed. Rejects `permissionDenied` unless the caller is Owner or Admin. */
export async function describeWebhookSecret(
  context: Pick<PeopleContext, "db" | "clock">,
  principal: Principal,
): Promise<WebhookSecretState> {
  requireAdministrator(principal);
  const stored = present(
    await readWebhookSecret(context.db, principal.accountId),
    "the webhook secret of the account that asks",
  );
  return {
    rotatedAt: stored.rotatedAt,
    formerUntil: stillSigning(stored.formerUntil, context.clock.now()),
  };
}

/** Shows it, and writes that down. Rejects `permissionDenied` and `confirmationDue`. */
export async function showWebhookSecret(
  context: PeopleContext,
  principal: Principal,
): Promise<ShownWebhookSecret> {
  requireAdministrator(principal);
  requireConfirmed(context, principal);
  const { accountId } = principal;
  const at = context.clock.now();
  const stored = await context.db.transaction(async (tx) => {
    const found = present(await readWebhookSecret(tx, accountId), "the account that asks");
    await recordAudit(tx, {
      by: principal,
      action: "webhook_secret.shown",
      object: null,
      summary: {},
      at,
    });
    return found;
  });
  const secret = context.seal.open(stored.sealed, webhookSecretContext(accountId));
  return {
    secret: Buffer.from(secret).toString(),
    rotatedAt: stored.rotatedAt,
    formerUntil: stillSigning(stored.formerUntil, at),
  };
}

/**
 * Makes another secret, and shows it. For `graceHours` callbacks carry a signature by each of both, so that receivers change over
 * when they like; 0 for one that became known to others. Rejects `permissionDenied` and `confirmationDue`.
 */
export async function rotateWebhookSecret(
  context: PeopleContext,
  principal: Principal,
  graceHours: number,
): Promise<ShownWebhookSecret> {
  requireAdministrator(principal);
  requireConfirmed(context, principal);
  const { accountId } = principal;
  const at = context.clock.now();
  const formerUntil = addSeconds(at, graceHours * 3600);
  const secret = generateWebhookSecret(context.random);
  const sealed = context.seal.seal(Buffer.from(secret), webhookSecretContext(accountId));
  await context.db.transaction(async (tx) => {
    await storeNextWebhookSecret(tx, accountId, sealed, at, formerUntil);
    await recordAudit(tx, {
      by: principal,
      action: "webhook_secret.rotated",
      object: null,
      summary: { grace_hours: String(graceHours) },
      at,
    });
  });
  return { secret, rotatedAt: at, formerUntil: stillSigning(formerUntil, at) };
}

function stillSigning(until: Instant | null, now: Instant): Instant | null {
  return until !== null && until > now ? until : null;
}
