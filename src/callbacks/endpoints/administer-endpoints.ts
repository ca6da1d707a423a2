import { accountAdministratorsOnly } from "../../accounts/administrators-only.ts";
import { recordAudit } from "../../accounts/audit/record-audit.ts";
import { lockOwnAccount } from "../../accounts/lock-own-account.ts";
import type { Principal } from "../../accounts/principal.ts";
import { generateWebhookSecret } from "../../accounts/webhook-secrets/webhook-secret.ts";
import type { Database, Executor } from "../../platform/db/database.ts";
import { addSeconds, type Clock } from "../../platform/kernel/clock.ts";
import type { Random } from "../../platform/kernel/random.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import type { Seal } from "../../platform/kernel/seal.ts";
import {
  type EndpointTerms,
  endPendingCallbacks,
  insertEndpointRow,
  lockEndpointRow,
  movePendingCallbacks,
  readEndpointRows,
  removeEndpointRow,
  rotateEndpointRow,
  takeEndpointId,
  updateEndpointRow,
} from "./webhook-endpoint.store.ts";
import { endpointSecretContext, type WebhookEndpoint } from "./webhook-endpoint.ts";

export type EndpointContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly seal: Seal;
  /** Why a URL is not an allowed callback URL; null if it is one. */
  readonly callbackUrlFault: (url: string) => string | null;
};

/** An endpoint whose secret is shown this once. */
export type EndpointWithSecret = { readonly endpoint: WebhookEndpoint; readonly secret: string };

export const endpointsMax = 20;

/** Rejects `permissionDenied` unless the caller is an Owner or Admin who sees all wallets: endpoints receive events of all wallets. */
export const assertMayChangeEndpoints = accountAdministratorsOnly(
  "Only an Owner or Admin may change webhook endpoints.",
);

/** The account's endpoints, oldest first. Members who see only granted wallets see none: endpoints receive events of all wallets. */
export async function listEndpoints(
  db: Executor,
  { accountId, wallets }: Principal,
): Promise<readonly WebhookEndpoint[]> {
  return wallets === "all" ? readEndpointRows(db, accountId) : [];
}

/** The endpoint with this id; null when the caller sees none. */
export async function findEndpoint(
  db: Executor,
  principal: Principal,
  id: string,
): Promise<WebhookEndpoint | null> {
  return (await listEndpoints(db, principal)).find((endpoint) => endpoint.id === id) ?? null;
}

/**
 * Creates an endpoint. It receives what happens from then on. Rejects with permissionDenied, and with invalidValue for a refused URL
 * or when the account has 20 endpoints.
 */
export async function createEndpoint(
  context: EndpointContext,
  principal: Principal,
  terms: EndpointTerms,
): Promise<EndpointWithSecret> {
  assertMayChangeEndpoints(principal);
  assertAllowed(context, terms.url);
  const { db, clock, random, seal } = context;
  const { accountId } = principal;
  const now = clock.now();
  const secret = generateWebhookSecret(random);
  return db.transaction(async (tx) => {
    // Requests at the same time would otherwise all count the same endpoints.
    await lockOwnAccount(tx, accountId);
    if ((await readEndpointRows(tx, accountId)).length >= endpointsMax)
      reject("invalidValue", `An account has at most ${endpointsMax} webhook endpoints.`, {
        pointer: "/data",
      });
    const id = await takeEndpointId(tx);
    const sealed = seal.seal(Buffer.from(secret), endpointSecretContext(id));
    await insertEndpointRow(tx, { accountId, id }, terms, sealed, now);
    await recordAudit(tx, {
      by: principal,
      action: "webhook_endpoint.created",
      object: { type: "webhook-endpoint", id },
      summary: summaryOf(terms),
      at: now,
    });
    const dates = { createdAt: now, updatedAt: now };
    const secrets = { secretRotatedAt: null, formerSecretUntil: null };
    return { endpoint: { id, ...terms, ...secrets, ...dates }, secret };
  });
}

/**
 * Changes an endpoint; absent members stay. A new URL also receives the deliveries that wait for another attempt. Disabling ends these.
 * Null when the account has no such endpoint. Rejects as `createEndpoint` does.
 */
export async function changeEndpoint(
  context: EndpointContext,
  principal: Principal,
  id: string,
  change: Partial<EndpointTerms>,
): Promise<WebhookEndpoint | null> {
  assertMayChangeEndpoints(principal);
  if (change.url !== undefined) assertAllowed(context, change.url);
  const { accountId } = principal;
  const now = context.clock.now();
  return context.db.transaction(async (tx) => {
    const before = await lockEndpointRow(tx, accountId, id);
    if (before === null) return null;
    const after: WebhookEndpoint = { ...before, ...change, updatedAt: now };
    const key = { accountId, id };
    await updateEndpointRow(tx, key, after, now);
    if (before.isEnabled && !after.isEnabled) await endPendingCallbacks(tx, key, now);
    else if (after.url !== before.url) await movePendingCallbacks(tx, key, after.url, now);
    await recordAudit(tx, {
      by: principal,
      action: "webhook_endpoint.changed",
      object: { type: "webhook-endpoint", id },
      summary: summaryOf(after),
      at: now,
    });
    return after;
  });
}

/** Removes an endpoint and ends its deliveries. False when the account has none with this id. Rejects with permissionDenied. */
export async function removeEndpoint(
  context: EndpointContext,
  principal: Principal,
  id: string,
): Promise<boolean> {
  assertMayChangeEndpoints(principal);
  const { accountId } = principal;
  const now = context.clock.now();
  return context.db.transaction(async (tx) => {
    const endpoint = await lockEndpointRow(tx, accountId, id);
    if (endpoint === null) return false;
    await removeEndpointRow(tx, { accountId, id }, now);
    await endPendingCallbacks(tx, { accountId, id }, now);
    await recordAudit(tx, {
      by: principal,
      action: "webhook_endpoint.removed",
      object: { type: "webhook-endpoint", id },
      summary: { url: endpoint.url },
      at: now,
    });
    return true;
  });
}

/**
 * Replaces an endpoint's secret and shows the new one. For `graceHours` deliveries carry a signature with each of the two; 0 for a secret
 * that leaked. Null when the account has no such endpoint. Rejects with permissionDenied.
 */
export async function rotateEndpointSecret(
  context: EndpointContext,
  principal: Principal,
  id: string,
  graceHours: number,
): Promise<EndpointWithSecret | null> {
  assertMayChangeEndpoints(principal);
  const { db, clock, random, seal } = context;
  const { accountId } = principal;
  const now = clock.now();
  const formerUntil = graceHours === 0 ? null : addSeconds(now, graceHours * 3600);
  const secret = generateWebhookSecret(random);
  const sealed = seal.seal(Buffer.from(secret), endpointSecretContext(id));
  return db.transaction(async (tx) => {
    const endpoint = await lockEndpointRow(tx, accountId, id);
    if (endpoint === null) return null;
    await rotateEndpointRow(tx, { accountId, id }, sealed, now, formerUntil);
    await recordAudit(tx, {
      by: principal,
      action: "webhook_endpoint.secret_rotated",
      object: { type: "webhook-endpoint", id },
      summary: { grace_hours: String(graceHours) },
      at: now,
    });
    const changed = { secretRotatedAt: now, formerSecretUntil: formerUntil, updatedAt: now };
    return { endpoint: { ...endpoint, ...changed }, secret };
  });
}

function assertAllowed({ callbackUrlFault }: EndpointContext, url: string): void {
  const fault = callbackUrlFault(url);
  if (fault !== null) reject("invalidValue", fault, { pointer: "/data/attributes/url" });
}

function summaryOf({ url, events, isEnabled }: EndpointTerms) {
  return {
    url,
    events: events === null ? "all" : events.join(", "),
    enabled: isEnabled ? "yes" : "no",
  };
}
