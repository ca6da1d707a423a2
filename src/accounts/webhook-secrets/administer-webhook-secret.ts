import { present } from "../../platform/kernel/assert.ts";
import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import {
  type Actor,
  type AdministrationContext,
  assertAccountAdministrator,
  assertAdministrator,
  assertConfirmedAdministrator,
  auditActor,
} from "../actor.ts";
import { assertAccountExists } from "../assert-account-exists.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { readWebhookSecret, replaceWebhookSecret } from "./webhook-secret.store.ts";
import { generateWebhookSecret, webhookSecretContext } from "./webhook-secret.ts";

/** The account's webhook secret without the secret itself. */
export type WebhookSecretStatus = {
  /** Null: it was never rotated. */
  readonly rotatedAt: Instant | null;
  /** Until when the previous secret also signs; null: it does not. */
  readonly formerUntil: Instant | null;
};

export type ShownWebhookSecret = WebhookSecretStatus & { readonly secret: string };

export const graceHoursDefault = 24;
export const graceHoursMax = 30 * 24;

/**
 * When the webhook secret was rotated. Rejects `permissionDenied` unless the actor administers the account, `notFound` for an unknown
 * account.
 */
export async function readWebhookSecretStatus(
  { db, clock }: Pick<AdministrationContext, "db" | "clock">,
  actor: Actor,
  accountId: string,
): Promise<WebhookSecretStatus> {
  assertAdministrator(actor, accountId);
  await assertAccountExists(db, accountId);
  const stored = present(await readWebhookSecret(db, accountId), "the webhook secret");
  return {
    rotatedAt: stored.rotatedAt,
    formerUntil: ifAfter(clock.now(), stored.formerUntil),
  };
}

/**
 * Shows the webhook secret, which signs the callbacks of all wallets, and records that in the audit log. Rejects also `permissionDenied`
 * for a member who sees only granted wallets, and `confirmationDue`.
 */
export async function showWebhookSecret(
  context: AdministrationContext,
  actor: Actor,
  accountId: string,
): Promise<ShownWebhookSecret> {
  assertAccountAdministrator(actor);
  assertConfirmedAdministrator(context, actor, accountId);
  const { db, clock, seal } = context;
  await assertAccountExists(db, accountId);
  const at = clock.now();
  const stored = await db.transaction(async (tx) => {
    const found = present(await readWebhookSecret(tx, accountId), "the webhook secret");
    await recordAudit(tx, {
      by: auditActor(actor, accountId),
      action: "webhook_secret.shown",
      object: null,
      summary: {},
      at,
    });
    return found;
  });
  return {
    secret: Buffer.from(seal.open(stored.sealed, webhookSecretContext(accountId))).toString(),
    rotatedAt: stored.rotatedAt,
    formerUntil: ifAfter(at, stored.formerUntil),
  };
}

/**
 * Replaces the webhook secret and shows the new one. For `graceHours` callbacks carry a signature with each of the two, so that receivers
 * can switch at any time; 0 for a secret that leaked. Rejects as `showWebhookSecret` does.
 */
export async function rotateWebhookSecret(
  context: AdministrationContext,
  actor: Actor,
  accountId: string,
  graceHours: number,
): Promise<ShownWebhookSecret> {
  assertAccountAdministrator(actor);
  assertConfirmedAdministrator(context, actor, accountId);
  if (!Number.isInteger(graceHours) || graceHours < 0 || graceHours > graceHoursMax)
    reject("invalidValue", `The grace period is 0 to ${graceHoursMax} hours.`, {
      pointer: "/data/attributes/grace_hours",
    });
  const { db, clock, random, seal } = context;
  await assertAccountExists(db, accountId);
  const at = clock.now();
  const formerUntil = addSeconds(at, graceHours * 3600);
  const secret = generateWebhookSecret(random);
  const sealed = seal.seal(Buffer.from(secret), webhookSecretContext(accountId));
  await db.transaction(async (tx) => {
    await replaceWebhookSecret(tx, accountId, sealed, at, formerUntil);
    await recordAudit(tx, {
      by: auditActor(actor, accountId),
      action: "webhook_secret.rotated",
      object: null,
      summary: { grace_hours: String(graceHours) },
      at,
    });
  });
  return { secret, rotatedAt: at, formerUntil: ifAfter(at, formerUntil) };
}

function ifAfter(now: Instant, time: Instant | null): Instant | null {
  return time !== null && time > now ? time : null;
}
